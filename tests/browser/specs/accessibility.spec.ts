import { ChatPage } from "../pages/chat-page";
import { STATES } from "../support/states";
import { expect, expectAccessible, overflow, test } from "../support/test";

for (const [state, reach] of Object.entries(STATES)) {
  for (const width of [320, 1280]) {
    test(`${state} is accessible, ${width} px`, async ({ page, server }) => {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 720 });
      const chat = new ChatPage(page);
      await chat.open(server.url);
      await reach(chat);
      await expectAccessible(page);
      expect(await overflow(page), "page scrolls sideways").toBe(0);
      await expect(page.locator("[role=status]")).toHaveCount(1);
      await expect(page.locator("[role=alert]")).toHaveCount(1);
    });
  }
}

test("a whole conversation works by keyboard alone", async ({ chat, page }) => {
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the question" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.question).toBeFocused();
  await page.keyboard.type("show me recent orders");
  await page.keyboard.press("Enter");
  const turn = chat.turn("show me recent orders");
  const legend = turn.cards.first().locator("legend");
  await expect(legend).toBeFocused();
  await page.keyboard.press("1");
  await expect(turn.element.getByRole("radio").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(turn.heading).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(turn.button(/^Change recent/)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(legend).toBeFocused();
  await page.keyboard.press("2");
  await expect(turn.element.getByRole("radio").nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(turn.heading).toBeFocused();
});

test("the start and the end of a run are said once", async ({ chat, page }) => {
  await page.evaluate(() => {
    const said: string[] = ((window as any).said = []);
    for (const region of document.querySelectorAll("[role=status], [role=alert]")) {
      new MutationObserver(() => region.textContent && said.push(region.textContent)).observe(
        region,
        { childList: true, characterData: true, subtree: true },
      );
    }
  });
  const turn = await chat.ask("number of orders per customer");
  await expect(turn.table).toBeVisible();
  await expect(page.getByRole("log")).toHaveAttribute("aria-live", "off");
  const said: string[] = await page.evaluate(() => (window as any).said);
  expect(said).toHaveLength(2);
  expect(said[0]).toBe("Running the query.");
  expect(said[1]).toMatch(/^Answer ready: /);
});
