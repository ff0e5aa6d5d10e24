import { ChatPage, Turn } from "../pages/chat-page";
import { HistoryList } from "../pages/history-list";
import { SidePanel } from "../pages/side-panel";
import { expect, expectAccessible, test } from "../support/test";

/** Output folder of the screenshots; without it, none are taken. */
const folder = process.env.WHEREFORE_SCREENSHOTS;

/** Asks questions and waits until the proxy knows of all of them. */
async function asked(chat: ChatPage, questions: string[]): Promise<void> {
  for (const question of questions) {
    const turn = await chat.ask(question);
    await expect(turn.element.getByText(/Answered|Outside this data/)).toBeVisible();
  }
  const known = () =>
    chat.page.evaluate(async () => {
      const person = localStorage.getItem("wherefore-person");
      return (await (await fetch(`/api/v1/history?person=${person}`)).json()).questions.length;
    });
  await expect.poll(known).toBe(questions.length);
}

// Promise: history.list
test("an earlier question is found by its words and asked again, also on a later visit", async ({ chat, page }) => {
  await asked(chat, ["how many customers", "how many orders", "delete all customers"]);
  await page.reload();
  await chat.question.waitFor();
  const history = new HistoryList(page);
  await history.open();
  await expect(history.items).toHaveText([
    "delete all customers (not answered)",
    "how many orders",
    "how many customers",
  ]);
  await history.search.fill("MANY customers");
  await expect(history.items).toHaveText(["how many customers"]);
  await expect(page.getByText("1 of 3 questions")).toBeVisible();
  await history.items.click();
  await expect(chat.turn("how many customers").element.getByText("Answered")).toBeVisible();
  await expect(history.search).toHaveValue("");
  await expect(chat.question).toBeFocused();
});

// Promise: history.page-corrections
test("a corrected question says its correction, and asking it again follows it", async ({ chat, page }) => {
  for (const [question, statement] of [
    ["how many customers are there", /FROM customers/],
    ["no, I meant suppliers", /FROM suppliers/],
    ["how many orders in 2024", /2024-01-01/],
    ["and in 2023?", /2023-01-01/],
  ] as const) {
    await chat.question.fill(question);
    await chat.question.press("Enter");
    const turn = new Turn(page.getByRole("article").last());
    await expect(turn.element.getByText("Answered")).toBeVisible();
    await expect.poll(() => turn.sql()).toMatch(statement);
  }
  const known = () =>
    page.evaluate(async () => {
      const person = localStorage.getItem("wherefore-person");
      return (await (await fetch(`/api/v1/history?person=${person}`)).json()).questions.length;
    });
  await expect.poll(known).toBe(4);
  await page.reload();
  await chat.question.waitFor();
  const history = new HistoryList(page);
  await history.open();
  await expect(history.items).toHaveText([
    "and in 2023?after: how many orders in 2024",
    "how many orders in 2024",
    "how many customers are therecorrected: suppliers, not customers",
  ]);
  await history.search.fill("suppliers");
  await history.items.click();
  const corrected = chat.turn("how many customers are there");
  await expect(corrected.element.getByText("Answered")).toBeVisible();
  await expect.poll(() => corrected.sql()).toContain("FROM suppliers");
  await history.items.first().click();
  const later = chat.turn("and in 2023?");
  await expect(later.element.getByText("Answered")).toBeVisible();
  await expect.poll(() => later.sql()).toContain("2023-01-01");
  await expect.poll(() => later.sql()).toContain("FROM orders");
});

test("an earlier text that needs an answer is asked instead of what follows it", async ({ chat, page }) => {
  const recent = await chat.ask("recent orders");
  await recent.radio(/90 days/).click();
  await expect(recent.element.getByText("Answered")).toBeVisible();
  const counted = await chat.ask("how many of them");
  await expect(counted.element.getByText("Answered")).toBeVisible();
  const history = new HistoryList(page);
  await history.open();
  await expect(history.items.first()).toHaveText("how many of themafter: recent orders");
  await history.items.first().click();
  await expect(page.getByRole("article")).toHaveCount(3);
  await expect(chat.turn("recent orders").cards).toHaveCount(1);
});

test("earlier questions are asked again by keyboard alone", async ({ chat, page }) => {
  await asked(chat, ["how many customers"]);
  const side = new SidePanel(page);
  await side.switch.focus();
  await page.keyboard.press("Enter");
  await expect(side.element).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "History" })).toBeFocused();
  await page.keyboard.press("End");
  await expect(page.getByRole("tab", { name: "Settings" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  const history = new HistoryList(page);
  await expect(history.items).toHaveCount(1);
  await page.keyboard.press("Tab");
  await expect(side.content).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(history.search).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(history.items).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article", { name: "how many customers" })).toHaveCount(2);
});

test("a question is pinned and renamed, and is so on a later visit", async ({ chat, page }) => {
  await asked(chat, ["how many customers", "how many orders", "number of orders by status"]);
  await page.reload();
  await chat.question.waitFor();
  const history = new HistoryList(page);
  await history.open();
  await history.act("how many customers", "Pin");
  await expect(history.items.first()).toHaveText("Pinned how many customers");
  await history.act("how many orders", "Rename");
  const name = page.getByRole("textbox", { name: "Name, kept in this browser" });
  await expect(name).toBeFocused();
  await name.fill("<b>Orders</b>");
  await page.keyboard.press("Enter");
  const titles = ["Pinned how many customers", "number of orders by status", "<b>Orders</b>"];
  await expect(history.items).toHaveText(titles);
  await page.reload();
  await history.open();
  await expect(history.items).toHaveText(titles);
  await history.search.fill("many orders");
  await history.items.click();
  await expect(chat.turn("how many orders").element.getByText("Answered")).toBeVisible();
});

test("a deletion can be taken back, and is done on the next visit otherwise", async ({ chat, page }) => {
  await asked(chat, ["how many customers", "how many orders"]);
  await page.reload();
  await chat.question.waitFor();
  const history = new HistoryList(page);
  await history.open();
  await history.act("how many orders", "Delete");
  await expect(history.items).toHaveText(["how many customers"]);
  await expect(history.undo).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(history.items).toHaveText(["how many orders", "how many customers"]);
  await history.act("how many orders", "Delete");
  await expect(history.items).toHaveText(["how many customers"]);
  const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
  await page.reload();
  expect((await deleted).status()).toBe(204);
  await history.open();
  await expect(history.items).toHaveText(["how many customers"]);
});

test("no list is shown where the proxy gives no history", async ({ page, server }) => {
  await page.route("**/api/v1/history*", (route) => route.fulfill({ status: 404, body: "" }));
  const answered = page.waitForResponse("**/api/v1/history*");
  const chat = new ChatPage(page);
  await chat.open(server.url);
  await answered;
  await new HistoryList(page).open();
  await expect(page.getByText("The server keeps no earlier questions.")).toBeVisible();
  await expect(new HistoryList(page).items).toHaveCount(0);
});

for (const width of [360, 1280]) {
  test(`the list is accessible and fits the page, ${width} px`, async ({ chat, page }) => {
    await page.setViewportSize({ width, height: width < 600 ? 740 : 800 });
    await asked(chat, ["how many customers", "number of orders per customer", "delete all customers"]);
    const history = new HistoryList(page);
    await history.open();
    await expect(history.items).toHaveCount(3);
    await page.getByRole("button", { name: "Actions for how many customers" }).click();
    await expectAccessible(page);
    const root = page.locator("html");
    expect(await root.evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    if (folder) await page.screenshot({ path: `${folder}/history-${width}.png` });
  });
}
