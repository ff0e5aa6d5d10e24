import type { Catalog } from "wherefore";
import { sorted } from "./catalog.js";
import { lineAt, SchemaError } from "./error.js";

/** Parses JSON; an error names the line. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const line = /line (\d+)/.exec(message)?.[1];
    const position = /position (\d+)/.exec(message)?.[1];
    const place = line ? Number(line) : position ? lineAt(text, Number(position)) : undefined;
    // Without a position, the text ends too early.
    throw new SchemaError(`the JSON cannot be read: ${message}`, place ?? lineAt(text, text.length));
  }
}

/** A catalog as exported by the proxy: the catalog itself, one in `catalog`, or a list of tables. */
export function catalogOf(value: unknown, name: string): Catalog {
  const given = Array.isArray(value) ? { tables: value } : Object(value);
  const catalog = "catalog" in given && !("tables" in given) ? Object(given.catalog) : given;
  checkTables(catalog.tables);
  const dialect = catalog.dialect === "sqlite" ? "sqlite" : "postgres";
  // Statements can be run only where the rows are.
  return sorted({ ...catalog, name: typeof catalog.name === "string" ? catalog.name : name, dialect, can_execute: false });
}

function checkTables(tables: unknown): void {
  if (!Array.isArray(tables)) throw new SchemaError("`tables` must be a list of tables");
  if (tables.length === 0) throw new SchemaError("`tables` is empty");
  tables.forEach((table, index) => {
    const place = `tables[${index}]`;
    checkName(table, place);
    if (!Array.isArray(table.columns)) throw new SchemaError(`${place}.columns (${table.name}) must be a list of columns`);
    table.columns.forEach((column: unknown, at: number) => checkName(column, `${place}.columns[${at}]`));
  });
}

function checkName(value: unknown, place: string): void {
  if (typeof Object(value).name !== "string") throw new SchemaError(`${place}.name must be a text`);
}
