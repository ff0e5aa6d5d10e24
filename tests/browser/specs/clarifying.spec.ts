import { ChatPage } from "../pages/chat-page";
import { SidePanel } from "../pages/side-panel";
import { expect, expectAccessible, test } from "../support/test";

const QUESTION = "show me recent orders";

test("a question asked back has nothing picked and names what it recommends", async ({ chat }) => {
  const turn = await chat.ask(QUESTION);
  await expect(turn.heading).toHaveText("One question first.");
  for (const radio of await turn.element.getByRole("radio").all()) {
    await expect(radio).not.toBeChecked();
  }
  await expect(turn.element.getByText("Recommended")).toHaveCount(1);
  await expect(turn.cards.first().locator("legend")).toBeFocused();
});

test("a click on an option answers at once, and the choice is in the SQL", async ({ chat }) => {
  const turn = await chat.ask(QUESTION);
  await turn.radio(/90 days/).click();
  await expect(turn.table).toBeVisible();
  await expect(turn.chosen).toContainText("90 days");
  await expect(turn.heading).toBeFocused();
  const since = new Date(Date.now() - 90 * 86_400_000);
  const days = [-1, 0, 1].map((shift) =>
    new Date(since.getTime() + shift * 86_400_000).toISOString().slice(0, 10),
  );
  expect(await turn.sql()).toMatch(new RegExp(days.join("|")));
});

test("picking by keyboard never answers by itself", async ({ chat, page }) => {
  const turn = await chat.ask(QUESTION);
  await expect(turn.cards.first().locator("legend")).toBeFocused();
  await page.keyboard.press("2");
  const second = turn.element.getByRole("radio").nth(1);
  await expect(second).toBeChecked();
  await expect(second).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(turn.element.getByRole("radio").nth(2)).toBeChecked();
  await expect(turn.table).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(turn.table).toBeVisible();
  await expect(turn.heading).toBeFocused();
});

test("a range of days can be entered, and digits in it are digits", async ({ chat, page }) => {
  const turn = await chat.ask(QUESTION);
  await turn.radio("Something else…").click();
  await expect(turn.table).toBeHidden();
  await turn.element.getByLabel("From").fill("2026-02-01");
  await turn.element.getByLabel("To (inclusive)").fill("2026-01-01");
  await turn.continue.click();
  await expect(turn.element.getByText("The first day is after the last.")).toBeVisible();
  await turn.element.getByLabel("To (inclusive)").fill("2026-02-11");
  await page.keyboard.press("Enter");
  await expect(turn.chosen).toBeVisible();
  const sql = await turn.sql();
  expect(sql).toContain("2026-02-01");
  expect(sql).toContain("2026-02-12");
});

test("going on without a choice says what is missing", async ({ chat }) => {
  const turn = await chat.ask(QUESTION);
  await turn.continue.click();
  await expect(turn.element.getByText("Choose one of the options.")).toBeVisible();
  await expect(turn.cards.first().locator("legend")).toBeFocused();
});

test("a best guess is listed as an assumption", async ({ chat }) => {
  const turn = await chat.ask(QUESTION);
  await turn.radio("Choose for me").click();
  await expect(turn.element.getByText(/^1 assumption$/)).toBeVisible();
  await expect(turn.element.getByText(/best guess/)).toHaveCount(1);
});

test("an answer can be changed, and the rows follow", async ({ chat }) => {
  const turn = await chat.ask(QUESTION);
  await turn.radio(/7 days/).click();
  await expect(turn.table).toBeVisible();
  const before = await turn.sql();
  await turn.button(/^Change recent/).click();
  await expect(turn.radio(/7 days/)).toBeChecked();
  await turn.radio(/90 days/).click();
  await expect(turn.chosen).toContainText("90 days");
  await expect(turn.heading).toBeFocused();
  expect(await turn.sql()).not.toEqual(before);
});

test("leaving an answer as it is brings the focus back", async ({ chat }) => {
  const turn = await chat.ask(QUESTION);
  await turn.radio(/30 days/).click();
  await turn.button(/^Change recent/).click();
  await turn.button("Keep as it is").click();
  await expect(turn.button(/^Change recent/)).toBeFocused();
});

test("a question about nothing in particular is asked what it is about", async ({ chat }) => {
  const turn = await chat.ask("show me data");
  await expect(turn.element.getByText("Needs a choice")).toBeVisible();
  expect(await turn.element.getByRole("radio").count()).toBeGreaterThan(1);
});

// Promise: memory.needless
test("a question that is marked as needless twice is no longer asked, until the marks are forgotten", async ({ chat, page }) => {
  // Four questions and a check of the page with their tables.
  test.slow();
  const side = new SidePanel(page);
  for (const times of ["once", "2 times"]) {
    const turn = await chat.ask(QUESTION);
    // "Choose for me" leaves no choice that memory could decide by.
    await turn.radio("Choose for me").click();
    await turn.element.getByText("1 assumption").click();
    const marks = turn.element.getByRole("group", { name: "The question about recent was" });
    await marks.getByRole("button", { name: "needless" }).click();
    await expect(marks.getByRole("button", { name: "needless" })).toHaveAttribute("aria-pressed", "true");
    await expect(chat.status).toHaveText("Marked as needless: it is asked less readily");
    await side.open("Memory");
    const listed = side.content.getByRole("list", { name: "Needless questions" }).getByRole("listitem");
    await expect(listed).toContainText(`marked as needless ${times}`);
  }
  await expectAccessible(page);
  const unasked = await chat.ask(QUESTION);
  await expect(unasked.element.getByText("Answered")).toBeVisible();
  await expect(unasked.element.getByText("you marked this question as needless 2 times")).toHaveCount(1);
  await expect(unasked.element.getByRole("group", { name: /^The question about/ })).toHaveCount(0);
  await side.content.getByRole("button", { name: "Forget recent" }).click();
  const again = await chat.ask(QUESTION);
  await expect(again.continue).toBeVisible();
});

test("a mark as helpful takes one as needless back", async ({ chat, page }) => {
  const turn = await chat.ask(QUESTION);
  await turn.radio(/90 days/).click();
  const marks = turn.chosen.getByRole("group", { name: "The question about recent was" });
  const [helpful, needless] = ["helpful", "needless"].map((name) => marks.getByRole("button", { name }));
  await needless.click();
  await expect(needless).toHaveAttribute("aria-pressed", "true");
  await helpful.click();
  await expect(helpful).toHaveAttribute("aria-pressed", "true");
  await expect(needless).toHaveAttribute("aria-pressed", "false");
  const side = new SidePanel(page);
  await side.open("Memory");
  await expect(side.content.getByText("1 remembered choice")).toBeVisible();
  await expect(side.content.getByText("marked as needless")).toBeHidden();
});

test("a mark that cannot be kept is said", async ({ chat, page }) => {
  await page.route("**/api/v1/query/mark", (route) => route.abort());
  const turn = await chat.ask(QUESTION);
  await turn.radio(/90 days/).click();
  // Its announcement would replace that of the failure.
  await expect(turn.element.getByText("Answered")).toBeVisible();
  const needless = turn.chosen.getByRole("button", { name: "needless" });
  await needless.click();
  await expect(chat.alert).not.toBeEmpty();
  await expect(needless).toHaveAttribute("aria-pressed", "false");
});

// Promise: memory.recommended-by-others
test("what others of the tenant chose most is recommended with the reason", async ({ page, start }) => {
  const { url } = await start();
  for (const person of ["one", "two", "three"]) {
    const asked = await page.request.post(`${url}/api/v1/query`, {
      data: { question: QUESTION, person: `person-${person}-0123456789` },
    });
    const { clarification_id, questions } = await asked.json();
    const answers = [{ clarification_id: questions[0].id, answer: { type: "option", option_id: "7_days" } }];
    await page.request.post(`${url}/api/v1/query/clarify`, { data: { clarification_id, answers } });
  }
  const chosen = async () => (await (await page.request.get(`${url}/api/v1/choices`)).json()).chosen[0]?.times;
  await expect.poll(chosen).toBe(3);
  const chat = new ChatPage(page);
  await chat.open(url);
  const turn = await chat.ask(QUESTION);
  const recommended = turn.element.locator(".choice", { hasText: "Recommended" });
  await expect(recommended).toContainText("the last 7 days");
  await expect(turn.cards).toContainText("“the last 7 days” is chosen most here, 3 of 3 times");
});
