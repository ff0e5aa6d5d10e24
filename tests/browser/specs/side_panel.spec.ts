import { readFile } from "node:fs/promises";
import { SidePanel } from "../pages/side-panel";
import { expect, expectAccessible, test } from "../support/test";

/** Output folder of the screenshots; without it, none are taken. */
const folder = process.env.WHEREFORE_SCREENSHOTS;

const TABS = ["History", "Data", "Memory", "Settings"] as const;

for (const width of [360, 1280]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`each tab is accessible and fits the page, ${colorScheme}, ${width} px`, async ({ chat, page }) => {
      // The checks of four tabs take longer than those of one page.
      test.slow();
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const turn = await chat.ask("number of recent orders");
      await turn.radio(/30 days/).click();
      await expect(turn.element.getByText("Answered")).toBeVisible();
      const side = new SidePanel(page);
      for (const tab of TABS) {
        await side.open(tab);
        if (tab === "Data") await page.getByText("customers", { exact: true }).click();
        await expectAccessible(page);
        expect(await page.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
        if (folder) await page.screenshot({ path: `${folder}/side-${tab}-${width}-${colorScheme}.png` });
      }
    });
  }
}

test("on a narrow page, the panel takes the place of the thread until it is left", async ({ chat, page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  const side = new SidePanel(page);
  await expect(side.element).toBeHidden();
  await side.switch.click();
  await expect(chat.question).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(chat.question).toBeVisible();
  await expect(side.switch).toBeFocused();
  await side.open("Data");
  await page.getByRole("searchbox", { name: "Search tables and columns" }).fill("order date");
  await side.content.getByRole("button", { name: "order date", exact: true }).first().click();
  await expect(chat.question).toBeFocused();
  await expect(chat.question).toHaveValue("order date");
});

test("a column is found, says what it is, and is put into the question at the cursor", async ({ chat, page }) => {
  await chat.question.fill("number of  in 2025");
  await chat.question.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(10, 10));
  const side = new SidePanel(page);
  await side.open("Data");
  await expect(side.content.getByText(/^\d+ tables$/)).toBeVisible();
  await page.getByRole("searchbox", { name: "Search tables and columns" }).fill("orders customer");
  await expect(side.content.getByText(/^\d+ of \d+ tables$/)).toBeVisible();
  const table = side.content.getByRole("list", { name: "Columns of orders", exact: true });
  await expect(table.getByRole("listitem").filter({ hasText: /^customer id/ })).toContainText("→ customers");
  await page.getByRole("searchbox", { name: "Search tables and columns" }).fill("orders");
  await side.content.getByRole("button", { name: "orders", exact: true }).first().click();
  await expect(chat.question).toHaveValue("number of orders in 2025");
  await page.keyboard.type(",");
  await expect(chat.question).toHaveValue("number of orders, in 2025");
});

test("settings are kept and apply to the next question", async ({ chat, page }) => {
  const side = new SidePanel(page);
  await side.open("Settings");
  await page.getByLabel("Theme").selectOption("Dark");
  await page.getByLabel("Density").selectOption("Compact");
  await page.getByLabel("Ask what is meant").selectOption("Never, take the best guess");
  await page.getByLabel("Rows of an answer").selectOption("100");
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await expect.poll(background).toBe("rgb(21, 23, 26)");
  await page.reload();
  await side.open("Settings");
  await expect(page.getByLabel("Theme")).toHaveValue("dark");
  await expect(page.getByLabel("Density")).toHaveValue("compact");
  await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
  await expect.poll(background).toBe("rgb(21, 23, 26)");
  const turn = await chat.ask("show me recent orders");
  await expect(turn.element.getByText("Answered")).toBeVisible();
  await expect(turn.element.getByText(/^1 assumption$/)).toBeVisible();
  const all = await chat.ask("list orders");
  await expect(all.element.getByText("first 100 of more than 100 rows")).toBeVisible();
});

test("what is remembered is listed, always used, saved, forgotten and taken back", async ({ chat, page }) => {
  const side = new SidePanel(page);
  await side.open("Memory");
  await expect(side.content.getByText(/^Nothing is remembered yet/)).toBeVisible();
  const turn = await chat.ask("show me recent orders");
  await turn.radio(/30 days/).click();
  await expect(turn.element.getByText("Answered")).toBeVisible();
  const choices = side.content.getByRole("list", { name: "Remembered choices" }).getByRole("listitem");
  await expect(choices).toHaveCount(1);
  await expect(choices).toContainText(/recent → +means .*30 days/);
  await expect(choices).toContainText("chosen once");
  await choices.getByRole("button", { name: /^Always use recent/ }).click();
  await expect(choices).toContainText("always used");
  const again = await chat.ask("show me recent orders please");
  await expect(again.element.getByText("Answered")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    side.content.getByRole("button", { name: "Save as JSON" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^remembered-choices-[\d-]+\.json$/);
  const saved = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(saved.patterns).toMatchObject([{ phrase: "recent", fixed: true }]);
  await choices.getByRole("button", { name: /^Forget recent/ }).click();
  await expect(choices).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(choices).toHaveCount(1);
  await side.content.getByRole("button", { name: "Forget all" }).click();
  await expect(choices).toHaveCount(0);
  await page.reload();
  await side.open("Memory");
  await expect(side.content.getByText(/^Nothing is remembered yet/)).toBeVisible();
});

// Promise: memory.lessons-forgotten
test("lessons are listed with their use, and forgotten one by one", async ({ chat, page }) => {
  const person = await page.evaluate(() => localStorage.getItem("wherefore-person"));
  const lesson = (id: string, words: string, column: string) => ({
    id, words, kind: "column_mapping", means: { type: "column", column: { table: "orders", column } },
    confidence: 0.95, uses: 3, successes: 2, last_used: "2026-01-31",
  });
  const lessons = [lesson("l_0000000000000001", "turnover", "total_amount"), lesson("l_0000000000000002", "placed", "order_date")];
  const path = new URL(`/api/v1/memory/${person}`, page.url()).href;
  const kept = await page.request.put(path, { data: { version: 1, patterns: [], lessons } });
  expect(kept.status()).toBe(200);
  await page.reload();
  await chat.loaded();
  const side = new SidePanel(page);
  await side.open("Memory");
  await expect(side.content.getByText("2 lessons")).toBeVisible();
  const listed = side.content.getByRole("list", { name: "Lessons" }).getByRole("listitem");
  await expect(listed.first()).toContainText(/turnover.*orders\.total_amount/);
  await expect(listed.first()).toContainText("learned from a correction; used 3 times, right 2 times");
  await expectAccessible(page);
  await listed.first().getByRole("button", { name: /^Forget turnover/ }).click();
  await expect(listed).toHaveCount(1);
  const left = async () => (await (await page.request.get(path)).json()).lessons.length;
  await expect.poll(left).toBe(1);
});
