import { expect, test } from "../support/test";

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
