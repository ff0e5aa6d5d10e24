import type { Page } from "@playwright/test";
import { ChatPage } from "../pages/chat-page";
import { expect, expectAccessible, test } from "../support/test";

/** Files of the engine, which the page loads beside its own. */
const FILES = {
  script: /\/core-[0-9a-f]{16}\.js/,
  module: /\/core-[0-9a-f]{16}_bg\.wasm/,
  words: /\/words-[0-9a-f]{16}\.txt/,
};

/** Opens the page and holds back the engine's module until the returned function is called. */
async function openHeld(page: Page, url: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(FILES.module, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(url, { waitUntil: "commit" });
  return release;
}

test("a question is typed before the engine arrives, and read then", async ({ page, server }) => {
  const release = await openHeld(page, server.url);
  const chat = new ChatPage(page);
  await expect(page.getByRole("heading", { name: "Wherefore" })).toBeVisible();
  await expect(chat.thread).toHaveAttribute("aria-busy", "true");
  await expect(chat.thread.getByText("Loading…")).toBeVisible();
  await chat.question.pressSequentially("how many custmers");
  await chat.question.press("ArrowLeft");
  await expect(chat.preview.getByText("Loading…")).toBeVisible();
  await expectAccessible(page);
  const field = await chat.question.elementHandle();
  const before = await chat.question.boundingBox();

  release();
  await chat.loaded();
  await expect(chat.thread.getByRole("heading", { name: "Ask your data a question" })).toBeVisible();
  await expect(chat.question).toBeFocused();
  expect(await field?.evaluate((element) => element.isConnected)).toBe(true);
  // The cursor stays where it was, within the word.
  await chat.question.press("ArrowLeft");
  await chat.question.press("ArrowLeft");
  await chat.question.press("ArrowLeft");
  await chat.question.pressSequentially("o");
  await expect(chat.question).toHaveValue("how many customers");
  await expect(page.locator(".composer-mirror .mark-table")).toHaveText("customers");
  await expect(chat.preview.getByText("Loading…")).toHaveCount(0);
  expect(await chat.question.boundingBox()).toEqual(before);
});

test("a text that is complete before the engine arrives is marked then", async ({ page, server }) => {
  const release = await openHeld(page, server.url);
  const chat = new ChatPage(page);
  await chat.question.fill("how many customers");
  release();
  await expect(page.locator(".composer-mirror .mark-table")).toHaveText("customers");
  await expect(chat.question).toHaveValue("how many customers");
});

for (const way of ["Enter", "Ask"]) {
  test(`a question sent by ${way} before the engine arrives is asked once`, async ({ page, server }) => {
    const release = await openHeld(page, server.url);
    const chat = new ChatPage(page);
    const send = () =>
      way === "Enter" ? chat.question.press("Enter") : page.getByRole("button", { name: "Ask", exact: true }).click();
    await chat.question.fill("how many customers");
    await send();
    const queued = "Loading… The question will be asked then.";
    await expect(chat.preview.getByText(queued)).toBeVisible();
    await expect(chat.status).toHaveText(queued);
    await send();
    // A repeated announcement would end with a no-break space.
    expect(await chat.status.textContent()).toBe(queued);
    await expect(chat.question).toHaveValue("how many customers");
    release();
    await expect(chat.turn("how many customers").element.getByText("Answered")).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(chat.question).toHaveValue("");
  });
}

test("a question that is changed after it was sent too early is not asked", async ({ page, server }) => {
  const release = await openHeld(page, server.url);
  const chat = new ChatPage(page);
  await chat.question.fill("how many customers");
  await chat.question.press("Enter");
  await chat.question.pressSequentially(" by");
  release();
  await chat.loaded();
  await expect(chat.preview.getByText("customers", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
  await expect(chat.question).toHaveValue("how many customers by");
});

test("a load that fails keeps the text, which is asked after the retry", async ({ page, server }) => {
  let fail = () => {};
  const held = new Promise<void>((resolve) => (fail = resolve));
  await page.route(FILES.module, async (route) => {
    await held;
    await route.abort();
  });
  await page.goto(server.url, { waitUntil: "commit" });
  const chat = new ChatPage(page);
  await chat.question.fill("how many customers");
  await chat.question.press("Enter");
  fail();
  await expect(page.getByRole("heading", { name: "Could not load the engine" })).toBeVisible();
  await expect(chat.question).toHaveValue("how many customers");
  await expect(chat.question).toBeFocused();
  await expect(chat.preview.getByText("Not loaded")).toBeVisible();
  await expectAccessible(page);
  await page.unroute(FILES.module);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(chat.turn("how many customers").element.getByText("Answered")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
});

test("a question sent after a failed load loads again", async ({ page, server }) => {
  await page.route(FILES.words, (route) => route.abort());
  await page.goto(server.url);
  await expect(page.getByRole("heading", { name: "Could not load the engine" })).toBeVisible();
  await page.unroute(FILES.words);
  const turn = await new ChatPage(page).ask("how many customers");
  await expect(turn.element.getByText("Answered")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
});

for (const [name, file] of Object.entries(FILES)) {
  test(`an engine whose ${name} does not load is told, and loads on retry`, async ({ page, server }) => {
    await page.route(file, (route) => route.abort());
    await page.goto(server.url);
    await expect(page.getByRole("heading", { name: "Could not load the engine" })).toBeVisible();
    await expect(page.getByRole("alert")).toContainText("The engine of the page could not be loaded");
    await expect(page.getByText("engine_unavailable")).toBeVisible();
    await page.unroute(file);
    await page.getByRole("button", { name: "Retry" }).click();
    const turn = await new ChatPage(page).ask("how many customers");
    await expect(turn.element.getByText("Answered")).toBeVisible();
  });
}

test("the files of the engine are requested once, and kept", async ({ page, server }) => {
  const found: string[] = [];
  page.on("response", async (response) => {
    const name = Object.entries(FILES).find(([, file]) => file.test(response.url()))?.[0];
    if (name) found.push(`${name}: ${response.headers()["cache-control"]}`);
  });
  await new ChatPage(page).open(server.url);
  const kept = "public, max-age=31536000, immutable";
  expect(found.sort()).toEqual([`module: ${kept}`, `script: ${kept}`, `words: ${kept}`]);
});

test("words are marked where they stand, also after letters of several bytes", async ({ chat, page }) => {
  const question = "🍷 ¿größte? how many customers, bitte schön";
  await chat.question.fill(question);
  await expect(page.locator(".composer-mirror .mark-table")).toHaveText("customers");
  expect((await page.locator(".composer-mirror").textContent())?.trim()).toBe(question);
  await expect(chat.preview.getByRole("group", { name: "Understood as" }).getByText("größte", { exact: true })).toBeVisible();
  const turn = await chat.ask(question);
  await expect(turn.element.getByRole("heading", { level: 2 }).locator(".mark-table")).toHaveText("customers");
});
