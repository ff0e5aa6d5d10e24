// The examples, and that all pages are accessible and fit a narrow screen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AxeBuilder, expect, open, type } from "./support.mjs";

test("the plain script shows what would be asked, and the SQL", async () => {
  const { page, faults, close } = await open("plain/");
  await expect(page.getByRole("listitem")).toContainText("recent");
  await page.getByLabel("Question").fill("how many orders");
  await expect(page.locator("#sql")).toContainText("count(*)");
  assert.deepEqual(faults, []);
  await close();
});

test("the React page asks and takes an answer", async () => {
  const { page, faults, close } = await open("react/");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByRole("button", { name: "the last 7 days" }).click();
  await expect(page.getByRole("status")).toHaveText("done");
  await expect(page.locator("pre")).toContainText("ordered_on >=");
  assert.deepEqual(faults, []);
  await close();
});

test("the element takes an answer", async () => {
  const { page, faults, close } = await open("element/");
  await page.getByRole("radio", { name: /the last 7 days/ }).click();
  await expect(page.getByRole("radio")).toHaveCount(0);
  await expect(page.locator("#sql")).toContainText("ordered_on >=");
  assert.deepEqual(faults, []);
  await close();
});

const STATES = {
  start: async () => {},
  preview: async (page) => {
    await page.getByRole("button", { name: "Try a shop" }).click();
    await type(page, "show me recent orders xyzzy");
    await page.getByRole("region", { name: "Dictionary" }).getByText("returns", { exact: true }).click();
    await page.getByLabel("Rounds").fill("1");
    await page.getByRole("button", { name: "Share by link" }).click();
    await expect(page.getByRole("region", { name: "Effect of your changes" })).toBeVisible();
  },
};

for (const [state, reach] of Object.entries(STATES)) {
  test(`${state} is accessible, and fits a narrow screen`, async () => {
    const { page, close } = await open("", { context: { reducedMotion: "reduce" } });
    await reach(page);
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [360, 1280]) {
        const place = `${colorScheme}, ${width} px`;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const { violations } = await new AxeBuilder({ page }).analyze();
        assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.target.join(" "))]), [], place);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(overflow, 0, `the page scrolls sideways: ${place}`);
      }
    }
    await close();
  });
}

test("the preview works by keyboard alone", async () => {
  const { page, close } = await open();
  await page.getByRole("button", { name: "Try a shop" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Question", exact: true }).focus();
  await page.keyboard.type("show me recent orders");
  await page.keyboard.press("Enter");
  const first = page.getByRole("radio").first();
  await first.focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Answer" })).toBeVisible();
  const tab = page.getByRole("tab", { name: "PostgreSQL" });
  await tab.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "SQLite" })).toBeFocused();
  await close();
});
