// The offline preview: what is understood of a schema and a question, and what changes it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { address, expect, open, openFiles, openSample, sqlOf, type } from "./support.mjs";

test("a question on the sample is asked back, answered, and written in each dialect", async () => {
  const { page, faults, close } = await openSample();
  await type(page, "show me recent orders");
  const asked = page.getByRole("region", { name: "What would be asked" });
  await expect(asked.getByText(/Does “recent” mean/)).toBeVisible();
  await asked.getByRole("radio", { name: /the last 7 days/ }).click();
  await expect(page.getByRole("region", { name: "Answer" })).toBeVisible();
  await expect(sqlOf(page)).toContainText("ordered_on >= DATE");
  for (const [name, part] of [
    ["SQLite", /ordered_on >= '\d{4}/],
    ["SQL Server", /SELECT/],
    ["BigQuery", /ordered_on >= DATE/],
  ]) {
    await page.getByRole("tab", { name }).click();
    await expect(sqlOf(page)).toContainText(part);
  }
  assert.deepEqual(faults, []);
  await close();
});

test("a catalog as JSON is understood", async () => {
  const { page, close } = await open();
  const catalog = { tables: [{ name: "boats", columns: [{ name: "id", data_type: "integer" }, { name: "length", data_type: "number" }] }] };
  await page.getByRole("textbox", { name: "Or paste a schema" }).fill(JSON.stringify(catalog));
  await page.getByRole("button", { name: "Read the schema" }).click();
  await type(page, "how many boats");
  await expect(sqlOf(page)).toContainText("count(*)");
  await expect(page.getByText("Nothing would be asked: the question is clear.")).toBeVisible();
  await close();
});

test("a fault of a schema names its line, and the text stays", async () => {
  const { page, close } = await open();
  const field = page.getByRole("textbox", { name: "Or paste a schema" });
  const text = '{\n  "tables": [\n    {"name": "boats",}\n  ]\n}';
  await field.fill(text);
  await page.getByRole("button", { name: "Read the schema" }).click();
  await expect(page.getByRole("alert")).toContainText("Line 3");
  await page.reload();
  await expect(field).toHaveValue(text);
  await close();
});

test("a synonym changes the SQL, and the page shows before and after", async () => {
  const { page, close } = await openSample();
  await type(page, "list the consignments");
  await expect(page.getByText("Not understood")).toBeVisible();
  const dictionary = page.getByRole("region", { name: "Dictionary" });
  await dictionary.getByText("returns", { exact: true }).click();
  await dictionary.getByLabel("Also called (returns)").fill("consignments");
  await expect(sqlOf(page)).toContainText("FROM returns");
  const effect = page.getByRole("region", { name: "Effect of your changes" });
  await expect(effect.locator("ins").first()).toContainText("SELECT");
  await effect.getByRole("button", { name: "Take all back" }).click();
  await expect(page.getByText("Not understood")).toBeVisible();
  await close();
});

test("a setting changes what is asked", async () => {
  const { page, close } = await openSample();
  await type(page, "show me recent orders");
  await expect(page.getByRole("region", { name: "What would be asked" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Ask when something is open" }).uncheck();
  await expect(page.getByRole("region", { name: "What would be asked" })).toBeHidden();
  const effect = page.getByRole("region", { name: "Effect of your changes" });
  await expect(effect).toContainText("Now");
  await expect(effect).toContainText("nothing");
  await close();
});

test("what was entered is there after a reload", async () => {
  const { page, close } = await openSample();
  await type(page, "best customers");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Question", exact: true })).toHaveValue("best customers");
  await expect(page.getByRole("region", { name: "Schema in use" })).toContainText("Shop");
  await close();
});

test("the page works and says so when storage is forbidden", async () => {
  const script = () => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  };
  const { page, faults, close } = await openSample({ script });
  await type(page, "how many orders");
  await expect(sqlOf(page)).toContainText("count(*)");
  await expect(page.getByText("does not keep what you enter")).toBeVisible();
  assert.deepEqual(faults, []);
  await close();
});

test("the page works and says so when storage is full", async () => {
  const { page, close } = await openSample();
  await page.evaluate(() => {
    // Doubles what is stored, then fills the rest in halves.
    for (let size = 1 << 22; size > 0; size >>= 1) {
      try {
        localStorage.setItem(`filler-${size}`, "x".repeat(size));
      } catch {
        // Too large; half of it may fit.
      }
    }
  });
  await type(page, "how many orders were made by customers of each city in the years before");
  await expect(page.getByText("does not keep what you enter")).toBeVisible();
  await expect(page.getByRole("region", { name: "What was understood" })).toBeVisible();
  await close();
});

for (const file of ["core_bg-*.wasm", "words-*.txt"]) {
  test(`an engine without ${file} says so, and is loaded when tried again`, async () => {
    const { context, page, close } = await open("plain/");
    await context.route(`**/${file}`, (route) => route.abort());
    await page.goto(address());
    await expect(page.getByRole("alert")).toContainText("The engine could not be loaded");
    await context.unroute(`**/${file}`);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("button", { name: "Try a shop" })).toBeVisible();
    await close();
  });
}

test("a translator that cannot be loaded says so, and is loaded when tried again", async () => {
  const { context, page, close } = await open("plain/");
  await context.route("**/sql_bg-*.wasm", (route) => route.abort());
  await page.goto(address());
  await page.getByRole("button", { name: "Try a shop" }).click();
  await type(page, "how many orders");
  await page.getByRole("tab", { name: "SQLite" }).click();
  await expect(page.getByText("The translator could not be loaded")).toBeVisible();
  await context.unroute("**/sql_bg-*.wasm");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(sqlOf(page)).toContainText("count(*)");
  await close();
});

test("files that are no schema are refused with a reason", async () => {
  const { page, close } = await open();
  await openFiles(page, { name: "notes.json", content: '{"tables": [{"columns": []}]}' });
  await expect(page.getByRole("alert")).toContainText("tables[0].name must be a text");
  await close();
});
