import type { Catalog, Column, ForeignKey, Table } from "wherefore";
import { keyOf, sorted, withColumns } from "../schema/catalog.js";
import { type Database, quoted } from "./sqlite.js";

/** Maximum number of values that are listed of a column. */
const LISTED = 200;
/** Longest value that is listed, in characters. */
const LONGEST = 256;

/** The statements that define a database, as text for `readSchema`. */
export function definitionsOf(database: Database): string {
  const sql = "SELECT sql FROM sqlite_master WHERE type IN ('table', 'view') AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";
  return database.run(sql, 10_000).rows.map(([text]) => `${text};`).join("\n");
}

/** Number of rows of each table. */
export function rowCounts(database: Database, catalog: Catalog): Catalog {
  const tables = catalog.tables.map((table) => {
    const count = database.run(`SELECT count(*) FROM ${quoted(table.name)}`, 1).rows[0]?.[0];
    return { ...table, row_estimate: Number(count) };
  });
  return { ...catalog, tables };
}

/** The catalog with the values of text columns that have few, and the extremes of dates and numbers. */
export function withValues(database: Database, catalog: Catalog): Catalog {
  return withColumns(catalog, (column, table) => {
    if (column.sensitive || table.kind === "view") return column;
    if (column.data_type === "text") return { ...column, ...listed(database, table, column) };
    if (column.data_type === "date" || column.data_type === "timestamp") return { ...column, ...extremes(database, table, column) };
    return column;
  });
}

function listed(database: Database, table: Table, column: Column): Partial<Column> {
  const name = quoted(column.name);
  const sql = `SELECT DISTINCT ${name} FROM ${quoted(table.name)} WHERE ${name} IS NOT NULL LIMIT ${LISTED + 1}`;
  const values = database.run(sql, LISTED + 1).rows.map(([value]) => String(value));
  if (values.some((value) => value.length > LONGEST)) return {};
  const coverage = values.length > LISTED ? "partial" : "complete";
  return values.length > 0 ? { values: { values: values.slice(0, LISTED).sort(), coverage } } : {};
}

function extremes(database: Database, table: Table, column: Column): Partial<Column> {
  const name = quoted(column.name);
  const [row] = database.run(`SELECT min(${name}), max(${name}) FROM ${quoted(table.name)}`, 1).rows;
  const [minimum, maximum] = row ?? [];
  return typeof minimum === "string" && typeof maximum === "string" ? { minimum, maximum } : {};
}

/** The catalog with keys inferred from names, for files that define none: `customer_id` refers to `customers.id`. */
export function withInferredKeys(catalog: Catalog): { catalog: Catalog; notes: string[] } {
  const keys: ForeignKey[] = [];
  for (const table of catalog.tables) {
    for (const column of table.columns) {
      const stem = /^(.+)_id$/i.exec(column.name)?.[1]?.toLowerCase();
      const other = stem && catalog.tables.find((it) => it !== table && namesOf(stem).includes(it.name.toLowerCase()));
      const target = other && other.columns.find((it) => ["id", column.name.toLowerCase()].includes(it.name.toLowerCase()));
      if (!other || !target) continue;
      keys.push({ from_table: keyOf(table), from_columns: [column.name], to_table: keyOf(other), to_columns: [target.name] });
    }
  }
  const said = keys.map((key) => `${key.from_table}.${key.from_columns[0]} → ${key.to_table}.${key.to_columns[0]}`);
  return {
    catalog: sorted({ ...catalog, foreign_keys: [...(catalog.foreign_keys ?? []), ...keys] }),
    notes: said.length > 0 ? [`Keys inferred from names: ${said.join(", ")}.`] : [],
  };
}

function namesOf(stem: string): string[] {
  return [stem, `${stem}s`, `${stem}es`, stem.replace(/y$/, "ies")];
}
