import { readFile } from "node:fs/promises";
import type { Page, Route } from "@playwright/test";
import type { ChatPage, Turn } from "../pages/chat-page";
import { expect, expectAccessible, test } from "../support/test";

/** Output folder of the screenshots; without it, none are taken. */
const folder = process.env.WHEREFORE_SCREENSHOTS;

const EXECUTE = "**/api/v1/sql/execute";

/** Files of the proxy: their extension and their first bytes. */
const FILES = [
  { form: "Excel", extension: "xlsx", start: Buffer.from("PK\x03\x04", "latin1") },
  { form: "Parquet", extension: "parquet", start: Buffer.from("PAR1", "latin1") },
  { form: "Arrow", extension: "arrows", start: Buffer.from("ffffffff", "hex") },
];

/** Asks a question whose answer is a table. */
async function answered(chat: ChatPage): Promise<Turn> {
  const turn = await chat.ask("number of orders by status");
  await expect(turn.table).toBeVisible();
  return turn;
}

/** Name and content of the file that a button saves. */
async function saved(page: Page, turn: Turn, form: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), turn.button(`Save as ${form}`).click()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

/** Holds requests for files until the test ends. */
function hold(page: Page): Promise<unknown> {
  return page.route(EXECUTE, () => {});
}

for (const { form, extension, start } of FILES) {
  test(`rows are saved as a file that ${form} tools recognise`, async ({ chat, page }) => {
    const turn = await answered(chat);
    const { name, content } = await saved(page, turn, form);
    expect(name).toMatch(new RegExp(`^number-of-orders-by-status-\\d{4}-\\d\\d-\\d\\d\\.${extension}$`));
    expect(content.subarray(0, start.length)).toEqual(start);
    await expect(chat.status).toContainText(name);
  });
}

test("CSV keeps the order that the user made of the rows", async ({ chat, page }) => {
  const turn = await answered(chat);
  const shown = () => turn.table.locator("tbody td:nth-child(1)").allInnerTexts();
  const before = await shown();
  const sort = turn.table.getByRole("columnheader", { name: "Status" }).getByRole("button");
  await sort.click();
  await sort.click();
  const sorted = await shown();
  expect(sorted, "the rows had this order before").not.toEqual(before);
  const lines = (await saved(page, turn, "CSV")).content.toString("utf8").trimEnd().split("\r\n");
  expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(sorted.map((status) => `"${status}"`));
});

test("without a connection, only files that the page writes are on offer", async ({ chat, context }) => {
  const turn = await answered(chat);
  const names = turn.element.getByRole("group", { name: "Rows as a file" }).getByRole("button", { name: /^Save as/ });
  await expect(names).toHaveText(["Save as CSV", "Save as JSON", "Save as Excel", "Save as Parquet", "Save as Arrow"]);
  await context.setOffline(true);
  await expect(names).toHaveText(["Save as CSV", "Save as JSON"]);
  await context.setOffline(false);
  await expect(names).toHaveCount(5);
});

test("fetching is stopped by keyboard, which is told, and the button works again", async ({ chat, page }) => {
  const turn = await answered(chat);
  await hold(page);
  await turn.button("Save as Excel").focus();
  await page.keyboard.press("Enter");
  await expect(turn.element.getByText("Fetching the Excel file…")).toBeVisible();
  await expect(turn.button("Save as Excel")).toBeFocused();
  await turn.button("Stop fetching").focus();
  await page.keyboard.press("Enter");
  const told = "Stopped: the Excel file was not saved.";
  await expect(turn.element.getByText(told)).toBeVisible();
  await expect(chat.status).toHaveText(told);
  await expect(turn.button("Save as Excel")).toBeFocused();
  await expect(turn.button("Stop fetching")).toHaveCount(0);
  await page.unroute(EXECUTE);
  expect((await saved(page, turn, "Excel")).name).toMatch(/\.xlsx$/);
  await expect(turn.element.getByText(told)).toHaveCount(0);
});

test("while one file is fetched, no other is, and CSV is still saved", async ({ chat, page }) => {
  const turn = await answered(chat);
  const requests: string[] = [];
  await page.route(EXECUTE, (route) => void requests.push(route.request().headers().accept));
  await turn.button("Save as Parquet").click();
  await expect(turn.button("Save as Excel")).toBeDisabled();
  await turn.button("Save as Excel").dispatchEvent("click");
  expect((await saved(page, turn, "CSV")).name).toMatch(/\.csv$/);
  expect(requests).toEqual(["application/vnd.apache.parquet"]);
});

const FAILURES: Record<string, { answer: (route: Route) => Promise<void>; told: string }> = {
  "a server that fails": {
    answer: (route) =>
      route.fulfill({
        status: 500,
        contentType: "application/problem+json",
        json: { code: "internal", detail: "the disk is full", request_id: "r-7" },
      }),
    told: "The Parquet file was not saved: the disk is full (request r-7).",
  },
  "a server that is gone": {
    answer: (route) => route.abort(),
    told: "The Parquet file was not saved: the server did not respond; try again.",
  },
};

for (const [failure, { answer, told }] of Object.entries(FAILURES)) {
  test(`${failure} is told in words, and the button works again`, async ({ chat, page }) => {
    const turn = await answered(chat);
    await page.route(EXECUTE, answer);
    await turn.button("Save as Parquet").click();
    await expect(turn.element.getByText(told)).toBeVisible();
    await expect(chat.alert).toHaveText(told);
    await page.unroute(EXECUTE);
    expect((await saved(page, turn, "Parquet")).name).toMatch(/\.parquet$/);
    await expect(turn.element.getByText(told)).toHaveCount(0);
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test(`the buttons are accessible and not cut off, ${colorScheme}, ${width} px`, async ({ chat, page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: width < 600 ? 740 : 800 });
      const turn = await answered(chat);
      const files = turn.element.getByRole("group", { name: "Rows as a file" });
      const check = async (state: string) => {
        await files.scrollIntoViewIfNeeded();
        await expectAccessible(page);
        expect(await cut(page), `cut off while ${state}`).toEqual([]);
        if (folder) await page.screenshot({ path: `${folder}/exports-${state}-${width}-${colorScheme}.png` });
      };
      await hold(page);
      await turn.button("Save as Parquet").click();
      await expect(turn.button("Stop fetching")).toBeVisible();
      await check("fetching");
      await turn.button("Stop fetching").click();
      await page.unroute(EXECUTE);
      await page.route(EXECUTE, FAILURES["a server that fails"].answer);
      await turn.button("Save as Parquet").click();
      await expect(turn.element.getByText(/^The Parquet file was not saved/)).toBeVisible();
      await check("failed");
    });
  }
}

/** Texts among the actions that do not fit themselves or the width of the page. */
function cut(page: Page): Promise<string[]> {
  return page.locator(".result-actions > *").evaluateAll((elements) =>
    elements
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        const fits = left >= 0 && right <= document.documentElement.clientWidth;
        return !fits || element.scrollWidth > Math.ceil(right - left);
      })
      .map((element) => element.textContent ?? ""),
  );
}
