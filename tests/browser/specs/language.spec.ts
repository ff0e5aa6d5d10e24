import { readFile } from "node:fs/promises";
import { ChatPage } from "../pages/chat-page";
import { SidePanel } from "../pages/side-panel";
import { untranslated } from "../support/own-text";
import { STATES } from "../support/states";
import { expect, expectAccessible, test } from "../support/test";
import { Texts } from "../support/texts";

test("the language chosen in the settings applies at once and keeps what is typed", async ({ chat, page }) => {
  const side = new SidePanel(page);
  await chat.question.fill("show me recent orders");
  await side.open("Settings");
  await page.getByLabel("Language").selectOption("de");
  const root = page.locator("html");
  await expect(root).toHaveAttribute("lang", "de");
  await expect(page.getByLabel("Sprache")).toBeFocused();
  const question = page.getByRole("combobox", { name: "Frage", exact: true });
  await expect(question).toHaveValue("show me recent orders");

  await page.getByRole("button", { name: "Fragen", exact: true }).click();
  const turn = page.getByRole("article").last();
  await expect(turn.getByText("Zuerst eine Rückfrage.")).toBeVisible();
  await expect(turn.locator(".reason")).toHaveAttribute("lang", "en");
  await turn.getByRole("radio", { name: /30 days/ }).click();
  await expect(turn.getByText("Beantwortet")).toBeVisible();
  await expect(turn.getByRole("heading", { level: 3 }).first()).toHaveAttribute("lang", "en");
  await expectAccessible(page);

  await page.reload();
  await expect(root).toHaveAttribute("lang", "de");
});

for (const [name, direction] of [["pseudo", "ltr"], ["rtl", "rtl"]]) {
  test(`the trial language ${name} fits the page and is accessible`, async ({ page, server }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${server.url}/?language=${name}`);
    await expect(page.locator("html")).toHaveAttribute("dir", direction);
    await expect(page.locator("#empty-title")).toHaveText(/^\[.*\]$/);
    await expectAccessible(page);
    expect(await page.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
  });
}

test("what is filled in and chosen is kept when the language is switched", async ({ chat, page }) => {
  const side = new SidePanel(page);
  const listed = await chat.ask("number of orders per customer");
  const filter = listed.element.getByRole("searchbox");
  await filter.fill("a");
  const asked = await chat.ask("show me recent orders");
  await asked.radio("Something else…").click();
  await asked.element.getByLabel("From").fill("2026-02-01");

  await side.open("Settings");
  await page.getByLabel("Language").selectOption("de");
  await expect(asked.radio("Etwas anderes …")).toBeChecked();
  await expect(asked.element.getByLabel("Von")).toHaveValue("2026-02-01");
  await expect(filter).toHaveValue("a");
  await expect(listed.element.getByText(/^\d+ von \d+ geladenen Zeilen$/)).toBeVisible();
});

test("what is opened and what is said to be missing are kept when the language is switched", async ({ chat, page }) => {
  const side = new SidePanel(page);
  const answered = await chat.ask("number of orders per customer");
  await answered.sql();
  await answered.element.getByText("How the words were read").first().click();
  const asked = await chat.ask("show me recent orders");
  await asked.radio("Something else…").click();
  await asked.continue.click();
  await expect(asked.element.getByText("Enter the first day, the last day, or both.")).toBeVisible();
  await chat.question.fill("how many customers");
  await chat.preview.getByText("Reasons and SQL preview").first().click();
  const opened = () => page.locator("details[open] > summary").count();
  await expect.poll(opened).toBe(3);
  const place = await chat.thread.evaluate((thread) => (thread.scrollTop = 120));

  await side.open("Settings");
  await page.getByLabel("Language").selectOption("de");
  await expect(asked.element.getByText("Geben Sie den ersten Tag, den letzten Tag oder beide ein.")).toBeVisible();
  await expect(answered.element.getByText("SELECT").first()).toBeVisible();
  await expect.poll(opened).toBe(3);
  await expect.poll(() => page.locator("#thread").evaluate((thread) => thread.scrollTop)).toBe(place);
});

test("a failure that the page words itself is in its language, also after a switch", async ({ page, start }) => {
  const proxy = await start();
  const chat = new ChatPage(page);
  await chat.open(proxy.url);
  await proxy.stop();
  const turn = await chat.ask("how many customers");
  await expect(turn.element.locator(".problem-message")).toHaveText("The server did not respond.");
  await expect(turn.element.getByText("Try again in a moment.")).toBeVisible();
  await new SidePanel(page).open("Settings");
  await page.getByLabel("Language").selectOption("de");
  await expect(turn.element.locator(".problem-message")).toHaveText("Der Server hat nicht geantwortet.");
  const hint = turn.element.getByText("Versuchen Sie es gleich noch einmal.");
  await expect(hint).toBeVisible();
  expect(await hint.evaluate((element) => element.closest("[lang]")?.getAttribute("lang"))).toBe("de");
});

test("a statement runs from left to right in every language", async ({ page, server }) => {
  const texts = new Texts("rtl");
  const chat = new ChatPage(page, texts);
  await chat.open(server.url);
  const turn = await chat.ask("number of orders per customer");
  await turn.sql();
  const statement = turn.element.getByRole("group", { name: texts.of("sql-statement") });
  await expect(statement).toHaveCSS("direction", "ltr");
});

test("numbers and dates are written as the language does, and plain in files", async ({ page, server }) => {
  const texts = new Texts("de");
  const chat = new ChatPage(page, texts);
  await chat.open(server.url);
  const revenue = await chat.ask("revenue by month");
  await expect(revenue.table.locator("td.numeric").first()).toHaveText(/^\d{1,3}(\.\d{3})*,\d{2}$/);
  await expect(revenue.element.getByRole("img")).toHaveAccessibleName(/ nach /);
  const download = page.waitForEvent("download");
  await revenue.button("Als CSV speichern").click();
  expect(await readFile(await (await download).path(), "utf8")).toMatch(/^"\d{4}-\d{2}",\d+(\.\d+)?$/m);

  const orders = await chat.ask("orders with status and order date");
  await expect(orders.table.locator("td.moment").first()).toHaveText(/^\d{2}\.\d{2}\.\d{4}/);
});

for (const [state, reach] of Object.entries(STATES)) {
  test(`every text of the page comes from the locale files: ${state}`, async ({ page, server }) => {
    const chat = new ChatPage(page, new Texts("pseudo"));
    await chat.open(server.url);
    await reach(chat);
    expect(await untranslated(page)).toEqual([]);
  });
}
