import { type Locator, type Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../support/test";

/** Output folder of the screenshots; without it, none are taken. */
const folder = process.env.WHEREFORE_SCREENSHOTS;

const HOSTILE = '<img src=x onerror="alert(1)">';

/** Replaces the rows of each reply. */
async function reply(page: Page, columns: object[], rows: unknown[][], more: object = {}): Promise<void> {
  await page.route("**/api/v1/sql/execute", async (route) => {
    const { explained, ...rest } = await (await route.fetch()).json();
    await route.fulfill({ json: { ...rest, columns, rows, truncated: false, ...more } });
  });
}

const column = (name: string, data_type: string) => ({ name, data_type });

const COLUMNS = [column("city", "text"), column("total_price", "number"), column("note", "text")];

/** Texts of a column, without the header. */
function texts(table: Locator, column: number): Promise<string[]> {
  return table.locator(`tbody td:nth-child(${column})`).allInnerTexts();
}

test("a header sorts by all digits, NULL last, and goes back to the order of the result", async ({ chat, page }) => {
  await reply(page, COLUMNS, [
    ["Linz", "9007199254740993", null],
    ["Graz", null, null],
    ["wels", "20.5", null],
    ["Steyr", "9007199254740992", null],
  ]);
  const { table, element } = await chat.ask("list customers");
  const header = table.getByRole("columnheader", { name: "Total price" });
  const button = header.getByRole("button");
  await expect(header).toHaveAttribute("aria-sort", "none");
  await button.click();
  await expect(header).toHaveAttribute("aria-sort", "ascending");
  expect(await texts(table, 1)).toEqual(["wels", "Steyr", "Linz", "Graz"]);
  await expect(chat.status).toHaveText("4 rows, sorted by Total price, smallest first");
  await page.keyboard.press("Enter");
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await expect(button).toBeFocused();
  expect(await texts(table, 1)).toEqual(["Linz", "Steyr", "wels", "Graz"]);
  await page.keyboard.press("Enter");
  await expect(header).toHaveAttribute("aria-sort", "none");
  expect(await texts(table, 1)).toEqual(["Linz", "Graz", "wels", "Steyr"]);
  await table.getByRole("button", { name: "City" }).click();
  expect(await texts(table, 1)).toEqual(["Graz", "Linz", "Steyr", "wels"]);
  await expect(element.getByText("4 rows, sorted by City, A to Z")).toBeVisible();
});

test("the filter shows the fetched rows with all its words and says how many", async ({ chat, page }) => {
  const rows = Array.from({ length: 200 }, (_, index) => [`city ${index}`, index, index % 2 ? HOSTILE : "plain"]);
  await reply(page, COLUMNS, rows, { truncated: true });
  const { table, element } = await chat.ask("list customers");
  await expect(element.getByText("first 200 of more than 200 rows")).toBeVisible();
  const filter = element.getByRole("searchbox", { name: "Filter the fetched rows" });
  await filter.fill("CITY 19 onerror");
  await expect(element.getByText("7 of 200 fetched rows")).toBeVisible();
  await expect(chat.status).toHaveText("7 of 200 fetched rows");
  expect(await texts(table, 1)).toEqual(["city 19", "city 119", "city 191", "city 193", "city 195", "city 197", "city 199"]);
  await expect(table).toHaveAttribute("aria-rowcount", "8");
  await filter.fill("nothing like it");
  await expect(element.getByText("0 of 200 fetched rows")).toBeVisible();
  await filter.fill("");
  await expect(table.locator("tbody tr")).toHaveCount(200);
});

test("of 100,000 rows with 20 columns, those that are visible are in the page", async ({ chat, page }) => {
  // The reply has 20 MB, which the development build reads slowly.
  test.slow();
  const columns = Array.from({ length: 20 }, (_, index) => column(`column_${index}`, index % 2 ? "integer" : "text"));
  const rows = Array.from({ length: 100_000 }, (_, row) => columns.map((_, index) => (index % 2 ? row * index : `r${row}`)));
  await reply(page, columns, rows);
  const { table, element } = await chat.ask("list customers");
  await expect(element.getByText("100,000 rows", { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(table).toHaveAttribute("aria-rowcount", "100001");
  const rendered = table.getByRole("row");
  expect(await rendered.count()).toBeLessThanOrEqual(60);
  const region = element.getByRole("group", { name: /^Result table/ });
  const width = () => table.evaluate((table) => table.getBoundingClientRect().width);
  const before = await width();
  await region.focus();
  await page.keyboard.press("End");
  await expect(table.getByRole("cell", { name: "r99999" }).first()).toBeVisible();
  await expect(rendered.last()).toHaveAttribute("aria-rowindex", "100001");
  await expect(table.getByRole("columnheader", { name: "Column 0" })).toBeInViewport();
  expect(await rendered.count()).toBeLessThanOrEqual(60);
  expect(await width()).toBe(before);
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Home");
  await expect(rendered.nth(1)).toHaveAttribute("aria-rowindex", "2");
  await region.evaluate((region) => region.scrollTo(0, 50_000 * 30));
  await expect.poll(async () => Number(await rendered.nth(1).getAttribute("aria-rowindex"))).toBeGreaterThan(30_000);
});

for (const count of [3, 300]) {
  test(`a long text opens whole, by keyboard, in a table of ${count} rows`, async ({ chat, page }) => {
    const long = `${HOSTILE} ${"and so on ".repeat(60)}end`;
    await reply(page, COLUMNS, Array.from({ length: count }, (_, index) => [`city ${index}`, index, long]));
    const { table, element } = await chat.ask("list customers");
    const cell = table.getByRole("button", { name: /show all/ }).first();
    await cell.focus();
    await page.keyboard.press("Enter");
    const dialog = element.getByRole("dialog", { name: "Note" });
    await expect(dialog.getByRole("group", { name: "Whole value" })).toHaveText(long);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(cell).toBeFocused();
    await expect(element.locator("img[src]")).toHaveCount(0);
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test(`a long table is accessible and fits the page, ${colorScheme}, ${width} px`, async ({ chat, page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: width < 600 ? 740 : 800 });
      const turn = await chat.ask("list orders");
      await expect(turn.table).toBeVisible();
      await turn.table.getByRole("button", { name: /date/i }).first().click();
      await turn.element.getByRole("searchbox").fill("delivered");
      await expect(turn.element.getByText(/^[\d,]+ of 1,000 fetched rows, sorted by/)).toBeVisible();
      await expectAccessible(page);
      expect(await page.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
      if (folder) await page.screenshot({ path: `${folder}/table-${width}-${colorScheme}.png` });
    });
  }
}
