import type { Page } from "@playwright/test";
import { ChatPage } from "../pages/chat-page";
import { STATES } from "../support/states";
import { expect, expectAccessible, overflow, test } from "../support/test";
import { LANGUAGES, Texts } from "../support/texts";

const THEMES = ["light", "dark"] as const;

for (const language of LANGUAGES) {
  for (const width of [360, 1280]) {
    for (const [state, reach] of Object.entries(STATES)) {
      test(`${state} is accessible in both themes, ${language}, ${width} px`, async ({ page, server }) => {
        test.slow();
        await page.emulateMedia({ reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 720 });
        const chat = new ChatPage(page, new Texts(language));
        await chat.open(server.url);
        await reach(chat);
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme });
          await check(page, `${language}-${width}-${colorScheme}-${state}`);
        }
      });
    }
  }
}

for (const [state, reach] of Object.entries(STATES)) {
  test(`${state} is accessible in forced colours`, async ({ page, server }) => {
    await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
    const chat = new ChatPage(page);
    await chat.open(server.url);
    await reach(chat);
    await check(page, `forced-${state}`);
  });
}

/** Output folder of the screenshots; without it, none are taken. */
const folder = process.env.WHEREFORE_SCREENSHOTS;

/** Asserts that axe finds nothing and that the page does not scroll sideways. */
async function check(page: Page, name: string): Promise<void> {
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(" ", "-")}.png` });
  await expectAccessible(page);
  expect(await overflow(page), "page scrolls sideways").toBe(0);
}
