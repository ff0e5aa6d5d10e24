import { readFile } from "node:fs/promises";
import { expect, expectAccessible, test } from "../support/test";

test("one value stands alone", async ({ chat }) => {
  const turn = await chat.ask("how many customers");
  await expect(turn.element.getByText("Answered")).toBeVisible();
  await expect(turn.element.getByRole("definition")).toHaveText(/^[\d,]+$/);
  await expect(turn.table).toHaveCount(0);
});

test("rows come as a table that scrolls by itself and tells its size", async ({ chat }) => {
  const turn = await chat.ask("number of orders per customer");
  await expect(turn.table).toBeVisible();
  const region = turn.element.getByRole("group", { name: "Result table: number of orders per customer" });
  await region.focus();
  await expect(region).toBeFocused();
  await expect(turn.element.getByText(/^(first )?[\d,]+ (of more than [\d,]+ )?rows?(, |$)/)).toBeVisible();
});

test("figures have separators, places and a unit, and keep their stored value", async ({ chat }) => {
  const turn = await chat.ask("list invoices");
  await expect(turn.table.getByRole("columnheader", { name: "Total amount (EUR)" })).toBeVisible();
  const cells = turn.table.getByRole("row").nth(1).getByRole("cell");
  await expect(cells.first()).toHaveText("1");
  const amount = turn.table.locator("td[title], td [title]").filter({ hasText: /^\d{1,3}(,\d{3})+\.\d{2}$/ }).first();
  await expect(amount).toHaveAttribute("title", /^\d{4,}(\.\d+)?$/);
  const total = await chat.ask("total revenue this year");
  await expect(total.element.getByRole("definition")).toHaveText(/^[\d,]+\.\d{2} EUR$/);
});

test("rows are saved as CSV and JSON, and copied", async ({ chat, context, page, server }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
  await page.route("**/api/v1/sql/execute", async (route) => {
    const reply = await (await route.fetch()).json();
    reply.rows.length = 2;
    reply.rows[0][0] = '=HYPERLINK("x")';
    await route.fulfill({ json: { ...reply, truncated: true } });
  });
  const turn = await chat.ask("number of orders by status");
  const saved = async (format: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), turn.button(`Save as ${format}`).click()]);
    expect(download.suggestedFilename()).toMatch(/^number-of-orders-by-status-\d{4}-\d\d-\d\d\.(csv|json)$/);
    return readFile(await download.path(), "utf8");
  };
  const lines = (await saved("CSV")).split("\r\n");
  expect(lines[0]).toMatch(/^"status","\w+"$/);
  expect(lines[1]).toMatch(/^"'=HYPERLINK\(""x""\)",\d+$/);
  expect(lines.slice(3)).toEqual(['"[truncated: only the first 2 rows are included]"', ""]);
  const json = JSON.parse(await saved("JSON"));
  expect(json).toMatchObject({ question: "number of orders by status", truncated: true });
  expect(json.rows).toHaveLength(2);
  await expect(turn.element.getByText("Only the first 2 rows are in CSV and JSON files.")).toBeVisible();
  await turn.button("Copy table").click();
  await expect(chat.status).toHaveText("Table copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split("\n")).toHaveLength(4);
});

test("a chart stands above the table where one suits, and is saved", async ({ chat, page }) => {
  const hostile = "</text><img src=x onerror=alert(1)>";
  await page.route("**/api/v1/sql/execute", async (route) => {
    const reply = await (await route.fetch()).json();
    reply.rows[1][0] = hostile;
    await route.fulfill({ json: reply });
  });
  const turn = await chat.ask("number of orders by status");
  const chart = turn.element.getByRole("figure");
  await expect(chart.getByRole("img", { name: /by status$/ })).toBeVisible();
  await expect(chart.getByText(/^Bar chart of .* by status: \d+ bars, highest at [\d,]+ \(delivered\)/)).toBeVisible();
  await expect(chart.locator("text").filter({ hasText: hostile.slice(0, 12) })).toBeVisible();
  await expect(chart.locator("img[src]")).toHaveCount(0);
  const [download] = await Promise.all([page.waitForEvent("download"), turn.button("Save as SVG").click()]);
  expect(download.suggestedFilename()).toMatch(/^number-of-orders-by-status-[\d-]+\.svg$/);
  // A blank page, since the policy of this one forbids the style in the file.
  const blank = await page.context().newPage();
  const isXml = (text: string) => !new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror");
  expect(await blank.evaluate(isXml, await readFile(await download.path(), "utf8"))).toBe(true);
  await blank.close();
  await turn.button("Table only").click();
  await expect(chart).toHaveCount(0);
  await expect(turn.table).toBeVisible();
  await turn.button("Chart and table").click();
  await expect(chart).toBeVisible();
  await page.unrouteAll();
  const line = await chat.ask("revenue by month");
  await expect(line.element.getByRole("img", { name: "Revenue by month" })).toBeVisible();
  await expect(line.element.getByText(/^Line chart of revenue \(EUR\) by month: /)).toBeVisible();
  const rows = await chat.ask("list orders");
  await expect(rows.table).toBeVisible();
  await expect(rows.element.getByRole("figure")).toHaveCount(0);
});

test("copying the SQL is announced", async ({ chat, context, server }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
  const turn = await chat.ask("how many customers");
  const sql = await turn.sql();
  await turn.button("Copy SQL").click();
  await expect(chat.status).toHaveText("SQL copied");
  const copied = await chat.page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim()).toEqual(sql.trim());
});

test("a follow-up suggestion is sent, and none repeats a question", async ({ chat, page }) => {
  const name = "Suggested follow-up questions";
  const turn = await chat.ask("number of orders for each status");
  const follow = turn.element.getByRole("list", { name });
  await expect(follow.getByRole("button", { name: "how many orders per status" })).toHaveCount(0);
  const chosen = await follow.getByRole("button").first().innerText();
  await follow.getByRole("button").first().click();
  await expect(page.getByRole("article")).toHaveCount(2);
  const next = chat.turn(chosen).element.getByRole("list", { name });
  await expect(next.getByRole("button")).toHaveCount(3);
  await expect(next.getByRole("button", { name: chosen, exact: true })).toHaveCount(0);
});

test("a suggestion goes on from the last answer and outlives a change of it", async ({ chat, page }) => {
  const suggested = page.getByRole("list", { name: "Suggested follow-up questions" });
  const first = await chat.ask("number of recent orders");
  await first.radio(/30 days/).click();
  await expect(suggested.getByRole("button").first()).toHaveText("by month");
  await suggested.getByRole("button").first().click();
  const next = chat.turn("by month");
  await expect(next.table).toBeVisible();
  await expect(next.heading).toBeFocused();
  await expect(next.element.getByText(/^Kept: number of orders/)).toBeVisible();
  await expect(first.element.getByRole("list", { name: "Suggested follow-up questions" })).toHaveCount(0);
  await first.button(/^Change recent/).click();
  await first.radio(/90 days/).click();
  await expect(first.chosen).toContainText("90 days");
  await next.element.getByText("Steps and time").click();
  await expect(next.element.getByText(/^Confidence/)).toBeVisible();
  await expect((await chat.ask("how many customers")).element.getByText("Answered")).toBeVisible();
});

test("what a chart is grouped by is named in its legend", async ({ chat }) => {
  const turn = await chat.ask("average salary per department and year");
  await expect(turn.element.getByRole("figure").getByText("Department:")).toBeVisible();
});

test("nothing but reading is done", async ({ chat }) => {
  const turn = await chat.ask("delete all customers");
  await expect(turn.element.getByText("Outside this data")).toBeVisible();
  await expect(turn.table).toHaveCount(0);
  await expect(turn.element.getByText("SQL", { exact: true })).toHaveCount(0);
  await turn.button("Edit question").click();
  await expect(chat.question).toHaveValue("delete all customers");
  await expect(chat.question).toBeFocused();
});

test("what the SQL does is told in steps that show their clauses, by pointer and by keyboard", async ({ chat, page }) => {
  const turn = await chat.ask("number of open orders per customer");
  const sql = await turn.sql();
  await expect(turn.element.getByRole("heading", { name: "What this SQL does" })).toBeVisible();
  const steps = turn.element.getByRole("list", { name: "What this SQL does" }).getByRole("button");
  const shown = async () => (await turn.element.locator(".sql-pointed").allTextContents()).join("");
  expect(await shown()).toBe("");
  const kept = steps.filter({ hasText: /^Keep only/ }).first();
  await kept.hover();
  await expect.poll(shown).toMatch(/= 'open'/);
  expect(sql).toContain(await shown());
  await page.mouse.move(0, 0);
  await expect.poll(shown).toBe("");
  await steps.first().focus();
  await expect.poll(shown).toContain("orders");
  await page.keyboard.press("Tab");
  await expect(steps.nth(1)).toBeFocused();
  await expect.poll(shown).not.toBe("");
  await expectAccessible(page);
});

test("where nothing is told of the SQL there is no heading", async ({ chat, page }) => {
  await page.route("**/api/v1/sql/execute", async (route) => {
    const { explained, ...rest } = await (await route.fetch()).json();
    expect(explained).toBeDefined();
    await route.fulfill({ json: rest });
  });
  const turn = await chat.ask("how many customers");
  await turn.sql();
  await expect(turn.element.getByText("What this SQL does")).toHaveCount(0);
});

test("which words made which clause is told in a table, by keyboard", async ({ chat, page }) => {
  const turn = await chat.ask("number of open orders per customer");
  await expect(turn.table).toHaveCount(1);
  await turn.element.getByText("How the words were read").focus();
  await page.keyboard.press("Enter");
  const region = turn.element.getByRole("group", { name: "How the words were read" });
  await expect(region.getByRole("rowheader", { name: "open", exact: true })).toBeVisible();
  await expect(region.getByRole("row", { name: /^per … customer for each customer$/ })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(region).toBeFocused();
  await expectAccessible(page);
});

// Promise: memory.correction-after-answer
test("words behind an answer correct it", async ({ chat }) => {
  const first = await chat.ask("how many customers are there");
  await expect(first.element.getByText("Answered")).toBeVisible();
  await chat.question.fill("no, I meant suppliers");
  await chat.question.press("Enter");
  const corrected = chat.turn("how many customers are there");
  await expect(corrected.heading).toBeVisible();
  await expect.poll(() => corrected.sql()).toContain("FROM suppliers");
});

test("a result without rows is one sentence, not a table of headings", async ({ chat }) => {
  const turn = await chat.ask("orders before 1950");
  await expect(turn.element.getByText("Answered")).toBeVisible();
  await expect(turn.table).toHaveCount(0);
  await expect(turn.element.getByText(/^Nothing matches\./)).toBeVisible();
});
