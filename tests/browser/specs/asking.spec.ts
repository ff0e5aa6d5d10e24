import { ChatPage } from "../pages/chat-page";
import { expect, test } from "../support/test";

test("a suggestion fills the composer and is not sent", async ({ chat, page }) => {
  const suggestion = page.getByRole("list", { name: /^Suggestions/ }).getByRole("button").first();
  const text = await suggestion.innerText();
  await suggestion.click();
  await expect(chat.question).toHaveValue(text);
  await expect(chat.question).toBeFocused();
  await expect(page.getByRole("article")).toHaveCount(0);
});

test("what was understood shows while typing, and the focus stays", async ({ chat }) => {
  await expect(chat.preview).toBeHidden();
  await chat.question.pressSequentially("how many customers");
  const understood = chat.preview.getByRole("group", { name: "Understood as" });
  await expect(understood.getByRole("listitem").filter({ hasText: /^how many.*means.*count/ })).toBeVisible();
  // What means itself is not repeated.
  await expect(understood.getByRole("listitem").filter({ hasText: /^customers$/ })).toBeVisible();
  await expect(chat.preview.getByText(/\d+ % · (clear|likely|unsure|needs one answer first)/)).toBeVisible();
  await expect(chat.question).toBeFocused();
});

test("words that tie to nothing are named while typing", async ({ chat }) => {
  await chat.question.fill("how many customers xyzzyx");
  await expect(chat.preview.getByText("xyzzyx: not understood")).toBeVisible();
});

test("the preview tells what would be asked", async ({ chat }) => {
  await chat.question.fill("show me recent orders");
  await expect(chat.preview.getByRole("listitem").filter({ hasText: /^recent: / })).toBeVisible();
});

test("Enter asks, Shift+Enter starts a new line", async ({ chat, page }) => {
  await chat.question.fill("how many");
  await chat.question.press("Shift+Enter");
  await chat.question.pressSequentially("customers");
  await expect(chat.question).toHaveValue("how many\ncustomers");
  await expect(page.getByRole("article")).toHaveCount(0);
  await chat.question.press("Enter");
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(chat.question).toHaveValue("");
});

test("Enter that ends a composition does not ask", async ({ chat, page }) => {
  await chat.question.fill("how many customers");
  await chat.question.dispatchEvent("keydown", { key: "Enter", keyCode: 229, isComposing: true });
  await expect(page.getByRole("article")).toHaveCount(0);
  await expect(chat.question).toHaveValue("how many customers");
});

test("an empty question is refused where it was typed", async ({ chat, page }) => {
  await chat.question.press("Enter");
  await expect(page.getByText("Question is empty.")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
});

test("a question that is too long is refused and kept", async ({ chat, page }) => {
  const long = "how many customers ".repeat(300);
  await chat.question.fill(long);
  await chat.question.press("Enter");
  await expect(page.getByText(/^Question is 5700 bytes long/)).toBeVisible();
  await expect(chat.question).toHaveValue(long);
});

test("markup in a question is text", async ({ chat }) => {
  const turn = await chat.ask("<img src=x onerror=alert(1)> customers");
  await expect(turn.element).toBeVisible();
  await expect(turn.element.getByRole("img")).toHaveCount(0);
});

test("without a pack, questions to begin with are suggested that can be answered", async ({ page, start }) => {
  const chat = new ChatPage(page);
  await chat.open((await start(0, [], false)).url);
  const suggested = page.getByRole("list", { name: "Suggestions", exact: true }).getByRole("button");
  await expect(suggested).toHaveCount(5);
  for (const question of await suggested.allInnerTexts()) {
    const turn = await chat.ask(question);
    await expect(turn.element.getByText("Answered")).toBeVisible();
  }
});

test("each question that would be asked back is read in full while typing, on a narrow page too", async ({ chat, page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await chat.question.fill("number of big recent orders");
  const asked = chat.preview.locator(".chip-asks");
  await expect(asked).toHaveCount(2);
  for (const chip of await asked.all()) {
    await chip.scrollIntoViewIfNeeded();
    expect(await chip.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  }
});
