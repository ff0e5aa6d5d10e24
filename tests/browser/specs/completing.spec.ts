import type { Page } from "@playwright/test";
import type { ChatPage } from "../pages/chat-page";
import { expect, expectAccessible, test } from "../support/test";

function list(page: Page) {
  return page.getByRole("listbox", { name: "Continuations" });
}

/** Types a text and waits for its continuations. */
async function type(chat: ChatPage, text: string): Promise<void> {
  await chat.question.pressSequentially(text);
  await expect(list(chat.page)).toBeVisible();
  await expect(chat.question).toHaveAttribute("aria-expanded", "true");
}

for (const width of [360, 1280]) {
  test(`a question is completed by keyboard and can be answered, ${width} px`, async ({ chat, page }) => {
    await page.setViewportSize({ width, height: 740 });
    await expect(list(page)).toBeHidden();
    await expect(chat.question).toHaveAttribute("aria-expanded", "false");
    const before = await chat.question.boundingBox();
    await type(chat, "how many cus");
    await expectAccessible(page);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(sideways, "page scrolls sideways").toBe(0);
    await page.keyboard.press("Tab");
    await expect(chat.question).toHaveValue("how many customers ");
    await expect(chat.question).toBeFocused();
    const options = list(page).getByRole("option");
    await expect(options.first()).toBeVisible();
    await page.keyboard.press("ArrowDown");
    const active = options.first();
    await expect(active).toHaveAttribute("aria-selected", "true");
    await expect(chat.question).toHaveAttribute("aria-activedescendant", (await active.getAttribute("id")) ?? "");
    const words = await active.locator("bdi").innerText();
    await page.keyboard.press("Enter");
    await expect(chat.question).toHaveValue(`how many customers ${words} `);
    await expect(page.getByRole("article")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(list(page)).toBeHidden();
    await expect(chat.question).toBeFocused();
    expect((await chat.question.boundingBox())?.x).toBe(before?.x);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("article").getByText("Answered")).toBeVisible();
    await expect(list(page)).toBeHidden();
  });
}

test("a click accepts a continuation, and the focus stays in the question", async ({ chat, page }) => {
  // One input, so that one list follows.
  await chat.question.fill("revenue by mon");
  await list(page).getByRole("option").filter({ hasText: "by month" }).first().click();
  await expect(chat.question).toHaveValue("revenue by month ");
  await expect(chat.question).toBeFocused();
});

test("Enter sends the question unless an option was moved to", async ({ chat, page }) => {
  await type(chat, "how many customers");
  await page.keyboard.press("Enter");
  await expect(chat.turn("how many customers").element).toBeVisible();
});

test("an open list moves nothing, and closes when the question loses the focus", async ({ chat, page }) => {
  await chat.question.fill("x");
  await expect(chat.preview).toBeVisible();
  const before = await chat.question.boundingBox();
  await chat.question.fill("");
  await type(chat, "how m");
  expect(await chat.question.boundingBox()).toEqual(before);
  await page.keyboard.press("Shift+Tab");
  await expect(list(page)).toBeHidden();
  await expect(chat.question).not.toBeFocused();
});

test("the number of continuations is announced once the list has settled", async ({ chat }) => {
  await type(chat, "how many cus");
  await expect(chat.status).toHaveText(/^\d continuations?\. Tab accepts how many customers\.$|^\d continuations?\. Tab accepts customers\.$/);
});

test("continuations need no network", async ({ chat, page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await type(chat, "revenue ");
  await page.keyboard.press("Tab");
  await expect(list(page).getByRole("option").first()).toBeVisible();
  expect(requests).toEqual([]);
});

test("what an input method is composing has no continuations", async ({ chat, page }) => {
  await type(chat, "how m");
  await chat.question.dispatchEvent("input", { isComposing: true });
  await chat.question.evaluate((field) =>
    field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, isComposing: true })),
  );
  await expect(list(page)).toBeHidden();
});
