import type { Catalog, Dialect } from "wherefore";
import { SchemaError } from "./error.js";

/** Loads the module that reads and translates SQL. */
export async function sqlModule(): Promise<typeof import("wherefore/sql")> {
  const module = await import("wherefore/sql");
  await module.init();
  return module;
}

const SQLITE = /\bAUTOINCREMENT\b|\bWITHOUT\s+ROWID\b|\bPRAGMA\b|`|\bSTRICT\s*;/i;

/** The dialect that a schema looks like. */
export function dialectOf(text: string): Dialect {
  return SQLITE.test(text) ? "sqlite" : "postgres";
}

/** Reads CREATE TABLE and CREATE VIEW, ALTER TABLE … ADD, and COMMENT ON. */
export async function readDdl(text: string, dialect: Dialect, name: string): Promise<Catalog> {
  const { readSchema } = await sqlModule();
  const catalog = named(() => readSchema(text, dialect));
  if (catalog.tables.length === 0) throw new SchemaError("the text defines no table; paste CREATE TABLE statements");
  return { ...catalog, name, can_execute: false };
}

function named<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const line = /line:? (\d+)/i.exec(message)?.[1];
    throw new SchemaError(message, line ? Number(line) : undefined);
  }
}
