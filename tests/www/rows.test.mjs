// Files with rows, queried in the tab: without a network, behind the guard, read-only.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { address, dependency, expect, open, openFiles, sqlOf, type } from "./support.mjs";

const SHIPS = "id,name,city\n1,Ann,Bergen\n2,Bo,Valletta\n3,Cy,Bergen\n";
const VISITS = [
  "id,ship_id,arrived_on,fee,remark",
  '1,1,2024-01-05,100.5,"calm, warm"',
  "2,1,2024-02-05,50,",
  '3,2,2025-02-06,25,"storm ""A"""',
  "4,3,2025-03-07,10,Ærø ⚓ 🚢",
].join("\r\n");

let sqlite;
let parquet;

before(async () => {
  const { default: start } = await dependency("@sqlite.org/sqlite-wasm/dist/node.mjs");
  const { oo1, capi } = await start();
  const database = new oo1.DB(":memory:");
  database.exec(`CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE visits (id INTEGER PRIMARY KEY, ship_id INTEGER REFERENCES ships (id), arrived_on DATE, fee REAL);
    INSERT INTO ships VALUES (1, 'Ann', 'Bergen'), (2, 'Bo', 'Valletta'), (3, 'Cy', 'Bergen');
    INSERT INTO visits VALUES (1, 1, '2024-01-05', 100.5), (2, 1, '2024-02-05', 50), (3, 2, '2025-02-06', 25);`);
  sqlite = capi.sqlite3_js_db_export(database);
  database.close();
  const { parquetWriteBuffer } = await dependency("hyparquet-writer/src/index.js");
  parquet = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "id", data: [1, 2, 3], type: "INT32" },
        { name: "city", data: ["Bergen", "Valletta", null], type: "STRING" },
        { name: "fee", data: [1.5, 2.5, 3], type: "DOUBLE" },
        { name: "seen_at", data: [0, 1, 2].map((day) => new Date(Date.UTC(2025, 0, 1 + day, 12))), type: "TIMESTAMP" },
      ],
    }),
  );
});

const cells = (page) => page.getByRole("region", { name: "Rows" }).getByRole("cell");
const ask = (page) => page.getByRole("button", { name: "Ask", exact: true }).click();

async function runOwn(page, sql) {
  const field = page.getByLabel("SELECT statement");
  if (!(await field.isVisible())) await page.getByText("Run a statement of your own").click();
  await field.fill(sql);
  await page.getByRole("button", { name: "Check and run" }).click();
}

test("an SQLite file is asked about and answered with the network off", async () => {
  const { context, page, faults, requests, close } = await open("", { serviceWorkers: "allow" });
  await expect(page.locator("[data-offline=ready]")).toBeVisible({ timeout: 20_000 });
  await context.setOffline(true);
  const before = requests.length;
  await openFiles(page, { name: "harbour.sqlite", content: sqlite });
  await expect(page.getByRole("region", { name: "Schema in use" })).toContainText("2 tables, 7 columns, 6 rows in this tab");
  await type(page, "total fee per ship in Bergen");
  await ask(page);
  await expect(cells(page).filter({ hasText: "150.5" })).toBeVisible();
  await type(page, "recent visits");
  const asked = page.getByRole("region", { name: "What would be asked" });
  await asked.getByRole("radio", { name: /the last 90 days/ }).click();
  await expect(page.getByRole("region", { name: "Answer" }).getByText("0 rows.")).toBeVisible();
  const sent = requests.slice(before).filter((request) => !request.startsWith(address()));
  assert.deepEqual(sent, [], "no request leaves for another host");
  assert.deepEqual(faults, []);
  await close();
});

test("a file is queried without any request once its parts are loaded", async () => {
  const { page, requests, close } = await open();
  await openFiles(page, { name: "ships.csv", content: SHIPS });
  await expect(page.getByRole("region", { name: "Schema in use" })).toContainText("3 rows");
  await type(page, "how many ships");
  await ask(page);
  await expect(cells(page)).toHaveText("3");
  const loaded = requests.length;
  const bodies = requests.filter((request) => !/\.(js|css|wasm|txt|svg|png|webmanifest)$|\/$/.test(new URL(request).pathname));
  assert.deepEqual(bodies, []);
  await type(page, "ships in Bergen");
  await ask(page);
  await expect(cells(page).filter({ hasText: "Ann" })).toBeVisible();
  assert.equal(requests.length, loaded, "nothing was requested");
  await close();
});

test("CSV files become tables with types, values and keys", async () => {
  const { page, close } = await open();
  await openFiles(page, { name: "ships.csv", content: SHIPS }, { name: "visits.csv", content: VISITS });
  await expect(page.getByText("visits.ship_id → ships.id")).toBeVisible();
  await type(page, "total fee per city");
  await ask(page);
  await expect(cells(page)).toHaveText(["Bergen", "160.5", "Valletta", "25"]);
  await runOwn(page, "SELECT remark FROM visits ORDER BY id");
  await expect(cells(page).last()).toHaveText("Ærø ⚓ 🚢");
  await close();
});

test("a file is opened where it is dropped, also in place of a schema", async () => {
  const { page, close } = await open();
  await page.getByRole("button", { name: "Try a shop" }).click();
  const files = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "ships.csv"));
    return transfer;
  }, SHIPS);
  for (const event of ["dragenter", "dragover", "drop"]) {
    await page.getByRole("main").dispatchEvent(event, { dataTransfer: files });
  }
  await expect(page.getByRole("region", { name: "Schema in use" })).toContainText("3 rows in this tab");
  await close();
});

test("a link to a file with rows contains its values only if that is wanted", async () => {
  const { page, close } = await open();
  await openFiles(page, { name: "ships.csv", content: SHIPS });
  const link = page.getByLabel(/^Link:/);
  await page.getByRole("button", { name: "Share by link" }).click();
  const without = await link.inputValue();
  await page.getByRole("checkbox", { name: /Include the values/ }).check();
  await expect(link).not.toHaveValue(without);
  const withValues = await link.inputValue();
  await close();
  for (const [shared, count] of [
    [without, 0],
    [withValues, 2],
  ]) {
    const other = await open(shared.slice(address().length));
    await expect(other.page.getByText("Drop the file again to query it.")).toBeVisible();
    const dictionary = other.page.getByRole("region", { name: "Dictionary" });
    await dictionary.getByText("ships", { exact: true }).click();
    await expect(dictionary.getByText(`${count} values`)).toHaveCount(count === 0 ? 0 : 1);
    await other.close();
  }
});

test("a CSV file of Windows is read in its encoding", async () => {
  const { page, close } = await open();
  await openFiles(page, { name: "ships.csv", content: Buffer.from("id;name\n1;\xd8rn\n", "latin1") });
  await expect(page.getByRole("region", { name: "Schema in use" })).toContainText("1 table, 2 columns, 1 row");
  await runOwn(page, "SELECT name FROM ships");
  await expect(cells(page)).toHaveText("Ørn");
  await close();
});

test("a statement that runs is stopped, and the file can be queried again", async () => {
  const { page, close } = await open();
  const numbers = Array.from({ length: 20_000 }, (_, index) => index).join("\n");
  await openFiles(page, { name: "numbers.csv", content: `id\n${numbers}\n` });
  await runOwn(page, "SELECT count(*) FROM numbers a, numbers b, numbers c");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("alert").last()).toContainText("The statement was stopped.");
  await runOwn(page, "SELECT count(*) FROM numbers");
  await expect(cells(page)).toHaveText("20000");
  await close();
});

test("a CSV file that is not even names its row", async () => {
  const { page, close } = await open();
  await openFiles(page, { name: "ships.csv", content: "id,name\n1,Ann\n2,Bo,Valletta\n" });
  await expect(page.getByRole("alert")).toContainText("ships.csv, row 3: 3 fields, but the first row has 2");
  await close();
});

test("a cell that is cut is counted, and a small number is not rounded away", async () => {
  const { page, close } = await open();
  await openFiles(page, { name: "notes.csv", content: `id,share,note\n1,0.0000001,${"x".repeat(10_001)}\n2,12.5,short\n` });
  await runOwn(page, "SELECT share, note FROM notes ORDER BY id");
  await expect(page.getByText("2 rows. Long texts were cut in 1 cell; these end in “…”.")).toBeVisible();
  await expect(cells(page).first()).toHaveText("0.0000001");
  await expect(cells(page).nth(3)).toHaveText("short");
  await close();
});

test("a Parquet file is queried", async () => {
  const { page, close } = await open();
  await openFiles(page, { name: "trips.parquet", content: parquet });
  await type(page, "how many trips from Bergen");
  await ask(page);
  await expect(cells(page)).toHaveText("1");
  await runOwn(page, "SELECT seen_at, fee, city FROM trips WHERE id = 3");
  await expect(cells(page)).toHaveText(["1", "2025-01-03 12:00:00", "3", "NULL"]);
  await close();
});

test("the guard refuses every statement that is not a single query, and nothing changes", async () => {
  const { page, close } = await open();
  await openFiles(page, { name: "harbour.sqlite", content: sqlite });
  for (const sql of [
    "DELETE FROM ships",
    "SELECT 1; DROP TABLE ships",
    "ATTACH 'other.db' AS other",
    "PRAGMA query_only = OFF",
    "SELECT load_extension('x')",
    "WITH x AS (SELECT 1) INSERT INTO ships SELECT 4, 'Di', 'Oslo'",
    "SELECT sql FROM sqlite_master",
  ]) {
    await runOwn(page, sql);
    await expect(page.getByRole("alert").last(), sql).not.toBeEmpty();
    await runOwn(page, "SELECT count(*) FROM ships");
    await expect(cells(page), sql).toHaveText("3");
  }
  await close();
});

test("a file that is no database is refused, and the page stays usable", async () => {
  const { page, close } = await open();
  await openFiles(page, { name: "broken.sqlite", content: "SQLite format 3\0 and nothing else" });
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await openFiles(page, { name: "ships.csv", content: SHIPS });
  await expect(page.getByRole("region", { name: "Schema in use" })).toContainText("3 rows");
  await close();
});
