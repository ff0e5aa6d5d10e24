import { stringify } from "smol-toml";
import type { Catalog, Column, Table } from "wherefore";
import { keyOf } from "../schema/catalog.js";

/** The catalog's descriptions and synonyms, with the dictionary of the user, as a pack for `--pack`. */
export function packOf(catalog: Catalog): string {
  const { name, areas, metrics, cohorts, terms, templates } = catalog;
  const tables = catalog.tables.map(tableNotes).filter((table) => Object.keys(table).length > 1);
  return stringify(filled({ name, areas, tables, metrics, cohorts, terms, templates }));
}

function tableNotes(table: Table) {
  const { area, description, synonyms, label_columns, date_column, measure_column } = table;
  const columns = table.columns.map(columnNotes).filter((column) => Object.keys(column).length > 1);
  return filled({ name: keyOf(table), area, description, synonyms, label_columns, date_column, measure_column, columns });
}

function columnNotes({ name, description, synonyms, unit, roles, sensitive }: Column) {
  return filled({ name, description, synonyms, unit, roles, sensitive: sensitive || undefined });
}

/** The object without fields that say nothing, at any depth. */
function filled<T extends object>(object: T): T {
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value === "object" && value !== null) return filled(value);
    return value;
  };
  const entries = Object.entries(object).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(entries.map(([key, value]) => [key, clean(value)])) as T;
}
