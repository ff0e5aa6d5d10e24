import { ChatPage } from "../pages/chat-page";
import { expect, test } from "../support/test";

/** Files of the engine, which the page loads beside its own. */
const FILES = {
  script: /\/core-[0-9a-f]{16}\.js/,
  module: /\/core-[0-9a-f]{16}_bg\.wasm/,
  words: /\/words-[0-9a-f]{16}\.txt/,
};

test("the page is shown before its engine arrives", async ({ page, server }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(FILES.module, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(server.url, { waitUntil: "commit" });
  await expect(page.getByRole("heading", { name: "Wherefore" })).toBeVisible();
  await expect(page.getByText("Loading…")).toBeVisible();
  const chat = new ChatPage(page);
  await expect(chat.question).toHaveCount(0);
  release();
  const turn = await chat.ask("how many customers");
  await expect(turn.element.getByText("Answered")).toBeVisible();
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
