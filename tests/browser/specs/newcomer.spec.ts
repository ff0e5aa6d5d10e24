import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ChatPage } from "../pages/chat-page";
import type { Proxy } from "../support/proxy";
import { makeDuckDb, salesCsv } from "../support/sales";
import { expect, test } from "../support/test";

/** Options of a proxy on a server that holds the sales, as JSON; without it, a CSV and a DuckDB file are made. */
const server = process.env.WHEREFORE_SOURCE;
/** Path of DuckDB's library, unless there is none for this system. */
const driver = process.env.WHEREFORE_DUCKDB;
/** Output folder of the screenshots; without it, none are taken. */
const screenshots = process.env.WHEREFORE_SCREENSHOTS;

/** Questions of a newcomer, what their statement holds in any dialect, and cells of the answer. */
const QUESTIONS: { question: string; sql: RegExp; cells: string[] }[] = [
  { question: "how many sales were paid in Norway", sql: /'paid'[\s\S]*'Norway'/, cells: ["9"] },
  { question: "total quantity by country", sql: /sum\(quantity\)[\s\S]*GROUP BY country/i, cells: ["Norway", "45", "Brazil", "6"] },
  { question: "average price per product", sql: /avg\(price\)[\s\S]*GROUP BY product/i, cells: ["Standing desk", "480.00", "4.25"] },
  { question: "top 3 products by total quantity", sql: /LIMIT 3/i, cells: ["Standing desk", "25", "15"] },
];

type Start = (port?: number, more?: string[], pack?: boolean) => Promise<Proxy>;

/** Asks all questions of a proxy with these options, and one that is asked back. */
async function journey(page: Page, start: Start, source: string, options: string[]): Promise<void> {
  const patience = { timeout: server ? 60_000 : 10_000 };
  const chat = new ChatPage(page);
  await chat.open((await start(0, options, false)).url);
  let taken = 0;
  const shot = async () => {
    if (!screenshots) return;
    await page.screenshot({ path: `${screenshots}/${source}-${++taken}.png` });
  };
  for (const { question, sql, cells } of QUESTIONS) {
    const turn = await chat.ask(question);
    await expect(turn.element.getByText("Answered")).toBeVisible(patience);
    for (const cell of cells) await expect(turn.element.getByText(cell, { exact: true }).first()).toBeVisible();
    await shot();
    const statement = await turn.sql();
    expect(statement).toMatch(sql);
    await shot();
  }
  const asked = await chat.ask("show me recent sales");
  await expect(asked.continue).toBeVisible(patience);
  await shot();
  await asked.radio(/30 days/).click();
  await expect(asked.element.getByText("Answered")).toBeVisible(patience);
  await expect(asked.table.locator("tbody tr")).toHaveCount(6);
  expect(await asked.sql()).toMatch(/sold_on >= [\s\S]*sold_on < /);
  await shot();
}

/** Calls a function with the path of a CSV file that is deleted afterwards. */
async function withSales(use: (csv: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wherefore-newcomer-"));
  try {
    const csv = join(folder, "sales.csv");
    writeFileSync(csv, salesCsv());
    await use(csv);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Promise: files.newcomer
test("a newcomer asks a CSV file five questions, one of which is asked back", async ({ page, start }) => {
  test.skip(!!server, "only the server is asked");
  await withSales((csv) => journey(page, start, "csv", ["--database", csv]));
});

test("a file without a pack has questions to begin with, and some to go on with", async ({ page, start }) => {
  test.skip(!!server, "only the server is asked");
  await withSales(async (csv) => {
    const chat = new ChatPage(page);
    await chat.open((await start(0, ["--database", csv], false)).url);
    const first = page.getByRole("list", { name: "Suggestions" }).getByRole("button");
    await expect.poll(() => first.count()).toBeGreaterThan(2);
    const turn = await chat.ask("average price per product");
    await expect(turn.element.getByText("Answered")).toBeVisible();
    const next = page.getByRole("list", { name: "Suggested follow-up questions" }).getByRole("button");
    await expect(next).toHaveCount(3);
  });
});

test("a newcomer asks a DuckDB file five questions, one of which is asked back", async ({ page, start }) => {
  test.skip(!!server || !driver, "only the server is asked, or there is no library of DuckDB for this system");
  await withSales(async (csv) => {
    const file = csv.replace(/csv$/, "duckdb");
    makeDuckDb(driver!, csv, file);
    await journey(page, start, "duckdb", ["--database", file, "--driver", driver!]);
  });
});

test("a newcomer asks a server five questions, one of which is asked back", async ({ page, start }) => {
  test.skip(!server, "cargo xtask test --suite sail, and spark, ask theirs");
  test.setTimeout(240_000);
  await journey(page, start, "server", JSON.parse(server!) as string[]);
});
