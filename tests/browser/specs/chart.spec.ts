import { readFile } from "node:fs/promises";
import { type Page } from "@playwright/test";
import { type Turn } from "../pages/chat-page";
import { SidePanel } from "../pages/side-panel";
import { expect, expectAccessible, test } from "../support/test";

/** Output folder of the screenshots; without it, none are taken. */
const folder = process.env.WHEREFORE_SCREENSHOTS;

const HOSTILE = "</text><img src=x onerror=alert(1)>";
const QUESTION = "number of orders by status and year";

/** Saves the chart in a format and returns the name and the content of the file. */
async function saved(page: Page, turn: Turn, format: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), turn.button(`Save as ${format}`).click()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

test("two groups have a chart of several kinds, which are chosen by keyboard", async ({ chat, page }) => {
  const turn = await chat.ask(QUESTION);
  const chart = turn.element.getByRole("figure");
  const kind = turn.element.getByRole("combobox", { name: "Chart" });
  await expect(kind.getByRole("option")).toHaveText(["Lines", "Stacked bars", "Grouped bars", "Bars"]);
  await expect(chart.getByText(/^Line chart of .*: 6 lines \(cancelled, delivered, /)).toBeVisible();
  await kind.focus();
  await page.keyboard.press("ArrowDown");
  await expect(chart.getByText(/^Stacked bar chart of .*: 4 bars of up to 6 parts \(/)).toBeVisible();
  await expect(chart.locator("text").filter({ hasText: /^delivered$/ })).toHaveCount(1);
  // Parts of a bar differ by texture and not only by colour.
  const fills = await chart.locator("rect[fill^='url(#']").evaluateAll((bars) => bars.map((bar) => bar.getAttribute("fill")));
  expect(new Set(fills).size).toBe(5);
  for (const fill of fills) await expect(chart.locator(fill!.slice(4, -1))).toHaveCount(1);
  await kind.selectOption("Grouped bars");
  await expect(chart.getByText(/^Bar chart of .*: 4 groups of up to 6 bars \(/)).toBeVisible();
  await turn.button("Table only").click();
  await expect(kind).toBeHidden();
  await turn.button("Chart and table").click();
  await expect(kind).toHaveValue("2");
});

test("a chart is saved as PNG and Vega-Lite, also with hostile names", async ({ chat, page }) => {
  await page.route("**/api/v1/sql/execute", async (route) => {
    const reply = await (await route.fetch()).json();
    const hostile = (cell: unknown) => (cell === "delivered" ? HOSTILE : cell);
    reply.rows = reply.rows.map((row: unknown[]) => row.map(hostile));
    await route.fulfill({ json: reply });
  });
  const turn = await chat.ask(QUESTION);
  const chart = turn.element.getByRole("figure");
  await expect(chart.locator("text").filter({ hasText: HOSTILE.slice(0, 12) })).toBeVisible();
  await expect(chart.locator("img")).toHaveCount(0);
  const png = await saved(page, turn, "PNG");
  expect(png.name).toMatch(/^number-of-orders-by-status-and-year-[\d-]+\.png$/);
  expect(png.content.subarray(1, 4).toString()).toBe("PNG");
  // Twice the width of 832 pixels, from the header of the file.
  expect(png.content.readUInt32BE(16)).toBe(1664);
  const vega = await saved(page, turn, "Vega-Lite");
  expect(vega.name).toMatch(/^number-of-orders-by-status-and-year-[\d-]+\.vl\.json$/);
  const { encoding, data, mark } = JSON.parse(vega.content.toString());
  expect(mark.type).toBe("line");
  expect(encoding.color).toMatchObject({ field: "series", title: "Status" });
  expect(data.values.map((value: { series: string }) => value.series)).toContain(HOSTILE);
  const svg = (await saved(page, turn, "SVG")).content.toString();
  expect(svg).not.toContain("<img");
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test(`charts are accessible and fit the page, ${colorScheme}, ${width} px`, async ({ chat, page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const turn = await chat.ask(QUESTION);
      const kind = turn.element.getByRole("combobox", { name: "Chart" });
      for (const [index, name] of ["Lines", "Stacked bars", "Grouped bars"].entries()) {
        await kind.selectOption(name);
        await expect(kind).toHaveValue(String(index));
        const chart = turn.element.getByRole("figure");
        await expect(chart.getByRole("img")).toBeVisible();
        if (folder) await page.screenshot({ path: `${folder}/chart-${index}-${width}-${colorScheme}.png` });
      }
      await expectAccessible(page);
      expect(await page.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    });
  }
}

test("a chart keeps within its width when the side panel is opened", async ({ chat, page }) => {
  await page.setViewportSize({ width: 1100, height: 720 });
  await page.reload();
  await chat.loaded();
  const turn = await chat.ask("top 5 products by revenue");
  const figure = turn.element.getByRole("figure");
  const beyond = () =>
    figure.evaluate((element) => {
      const right = element.getBoundingClientRect().right;
      return [...element.querySelectorAll("svg text")].filter((text) => text.getBoundingClientRect().right > right).length;
    });
  await expect(figure).toBeVisible();
  expect(await beyond()).toBe(0);
  await new SidePanel(page).open("Data");
  await expect.poll(beyond).toBe(0);
});
