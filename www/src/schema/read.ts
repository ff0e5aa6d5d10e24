import type { Catalog, Dialect } from "wherefore";
import { isManifest, readManifest } from "./dbt.js";
import { dialectOf, readDdl } from "./ddl.js";
import { SchemaError } from "./error.js";
import { catalogOf, parseJson } from "./json.js";

/** Where a catalog came from. */
export type Origin = "sample" | "sql" | "json" | "dbt" | "sqlite" | "csv" | "parquet";

/** A catalog that was read, and what a reader of it should know. */
export interface Read {
  origin: Origin;
  catalog: Catalog;
  notes: string[];
}

/** Reads a pasted or dropped text: JSON (a catalog, or dbt's manifest) or SQL. */
export async function readText(text: string, name: string, dialect?: Dialect): Promise<Read> {
  const trimmed = text.trim();
  if (trimmed === "") throw new SchemaError("the schema is empty");
  if (/^[[{]/.test(trimmed)) {
    const value = parseJson(text);
    if (isManifest(value)) return { origin: "dbt", ...readManifest(value) };
    return { origin: "json", catalog: catalogOf(value, name), notes: [] };
  }
  const chosen = dialect ?? dialectOf(text);
  const catalog = await readDdl(text, chosen, name);
  const said = chosen === "sqlite" ? "SQLite" : "PostgreSQL";
  return { origin: "sql", catalog, notes: dialect ? [] : [`Read as ${said}.`] };
}
