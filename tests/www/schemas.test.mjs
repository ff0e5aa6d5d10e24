// Schemas as text: SQL, and dbt's manifest.
import { test } from "node:test";
import { expect, open, openFiles, sqlOf, type } from "./support.mjs";

async function paste(page, text) {
  await page.getByRole("textbox", { name: "Or paste a schema" }).fill(text);
  await page.getByRole("button", { name: "Read the schema" }).click();
}

const HARBOUR = `CREATE TABLE ships (
  id integer PRIMARY KEY,
  name text NOT NULL,
  launched_on date
);
CREATE TABLE visits (
  id integer PRIMARY KEY,
  ship_id integer NOT NULL REFERENCES ships (id),
  arrived_on date NOT NULL,
  fee numeric(10, 2)
);
COMMENT ON TABLE visits IS 'One stay in the harbour';`;

test("pasted SQL is understood, asked about, answered, and joined along its keys", async () => {
  const { page, close } = await open();
  await paste(page, HARBOUR);
  await type(page, "recent visits");
  const asked = page.getByRole("region", { name: "What would be asked" });
  await asked.getByRole("radio", { name: /the last 7 days/ }).click();
  await expect(page.getByRole("region", { name: "Answer" })).toContainText("no rows in this tab");
  await type(page, "total fee per ship");
  await expect(sqlOf(page)).toContainText("JOIN ships");
  await page.getByRole("tab", { name: "BigQuery" }).click();
  await expect(sqlOf(page)).toContainText("JOIN");
  await close();
});

test("SQL that cannot be read names its line", async () => {
  const { page, close } = await open();
  await paste(page, "CREATE TABLE ships (\n  id integer,\n  name text text text,,\n);");
  await expect(page.getByRole("alert")).toContainText(/^Line \d/);
  await close();
});

test("SQL of SQLite is recognised", async () => {
  const { page, close } = await open();
  await paste(page, "CREATE TABLE boats (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);");
  await expect(page.getByText("Read as SQLite.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Schema in use" })).toContainText("1 table, 2 columns");
  await close();
});

const column = (name, data_type, description = "") => ({ [name]: { name, data_type, description } });
const relationship = {
  resource_type: "test",
  name: "relationships_visits_ship_id",
  column_name: "ship_id",
  attached_node: "model.harbour.visits",
  test_metadata: { name: "relationships", kwargs: { column_name: "ship_id", field: "id", to: "ref('ships')" } },
  depends_on: { nodes: ["model.harbour.ships", "model.harbour.visits"] },
};
const MANIFEST = {
  metadata: { dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json", project_name: "harbour" },
  nodes: {
    "model.harbour.ships": {
      resource_type: "model",
      name: "ships",
      schema: "main",
      description: "One ship",
      columns: { ...column("id", "integer"), ...column("name", "varchar"), ...column("flag", null) },
    },
    "model.harbour.visits": {
      resource_type: "model",
      name: "visits",
      schema: "main",
      columns: { ...column("id", "integer"), ...column("ship_id", "integer"), ...column("fee", "numeric") },
    },
    "model.harbour.undocumented": { resource_type: "model", name: "undocumented", schema: "main", columns: {} },
    "test.harbour.relationships": relationship,
    "test.harbour.values": {
      resource_type: "test",
      name: "accepted_values_ships_flag",
      column_name: "flag",
      attached_node: "model.harbour.ships",
      test_metadata: { name: "accepted_values", kwargs: { column_name: "flag", values: ["Norway", "Malta"] } },
      depends_on: { nodes: ["model.harbour.ships"] },
    },
  },
  sources: {},
};

test("dbt's manifest gives tables, values, and keys from its tests", async () => {
  const { page, close } = await open();
  await openFiles(page, { name: "manifest.json", content: JSON.stringify(MANIFEST) });
  await expect(page.getByText("left out: undocumented")).toBeVisible();
  await type(page, "total fee per ship");
  await expect(sqlOf(page)).toContainText(/JOIN ships .* = visits\.ship_id|visits\.ship_id = ships\.id/);
  await type(page, "how many ships from Norway");
  await expect(sqlOf(page)).toContainText("flag = 'Norway'");
  await close();
});
