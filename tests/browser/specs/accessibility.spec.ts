import type { Page } from "@playwright/test";
import { ChatPage } from "../pages/chat-page";
import { expect, expectAccessible, test } from "../support/test";

const STATES: Record<string, (chat: ChatPage) => Promise<void>> = {
  empty: async () => {},
  typing: async (chat) => {
    await chat.question.fill("number of orders per customer xyzzyx");
    await chat.preview.getByText("Reasons and SQL preview").click();
  },
  completing: async (chat) => {
    await chat.question.pressSequentially("number of orders b");
    await expect(chat.page.getByRole("listbox", { name: "Continuations" })).toBeVisible();
    await chat.question.press("ArrowDown");
  },
  clarification: async (chat) => {
    const turn = await chat.ask("show me recent orders");
    await turn.radio("Something else…").click();
    await turn.continue.click();
  },
  answer: async (chat) => {
    const chart = await chat.ask("number of orders by status");
    await expect(chart.element.getByRole("figure")).toBeVisible();
    const turn = await chat.ask("number of orders per customer");
    await expect(turn.table).toBeVisible();
    await turn.sql();
  },
  outside: async (chat) => {
    const turn = await chat.ask("delete all customers");
    await expect(turn.element.getByText("Outside this data")).toBeVisible();
  },
};

for (const [state, reach] of Object.entries(STATES)) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [320, 1280]) {
      test(`${state} is accessible, ${colorScheme}, ${width} px`, async ({ page, server }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 720 });
        const chat = new ChatPage(page);
        await chat.open(server.url);
        await reach(chat);
        await expectAccessible(page);
        expect(await overflow(page), "page scrolls sideways").toBe(0);
        await expect(page.locator("[role=status]")).toHaveCount(1);
        await expect(page.locator("[role=alert]")).toHaveCount(1);
        await expect(page.getByRole("log")).toHaveAttribute("aria-live", "off");
      });
    }
  }
}

/** Horizontal overflow of the page, in pixels. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const root = document.documentElement;
    return root.scrollWidth - root.clientWidth;
  });
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
  const said: string[] = await page.evaluate(() => (window as any).said);
  expect(said).toHaveLength(2);
  expect(said[0]).toBe("Running the query.");
  expect(said[1]).toMatch(/^Answer ready: /);
});
