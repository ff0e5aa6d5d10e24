import type { Catalog, Column, DataType, Table } from "wherefore";

/** Key by which foreign keys and packs refer to a table. */
export function keyOf(table: { schema?: string | undefined; name: string }): string {
  return table.schema ? `${table.schema}.${table.name}` : table.name;
}

const FAMILIES: [RegExp, DataType][] = [
  [/\[\]$|range|interval|point|array|struct|record/, "other"],
  [/timestamp|datetime/, "timestamp"],
  [/^date$/, "date"],
  [/^time/, "time"],
  [/bool|^bit$/, "boolean"],
  [/int|serial/, "integer"],
  [/numeric|decimal|real|float|double|money|number/, "number"],
  [/json|variant/, "json"],
  [/uuid|uniqueidentifier/, "uuid"],
  [/blob|bytea|binary|bytes|image/, "binary"],
];

/** Type family of a declared type, such as `varchar(20)`. */
export function familyOf(declared: string): DataType {
  const base = declared.trim().toLowerCase().replace(/\(.*$/, "").trim();
  if (base === "") return "other";
  return FAMILIES.find(([pattern]) => pattern.test(base))?.[1] ?? "text";
}

/** Sorts tables and foreign keys as an engine expects them. */
export function sorted(catalog: Catalog): Catalog {
  const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);
  const place = (key: { from_table: string; from_columns: string[]; to_table: string }) =>
    [key.from_table, ...key.from_columns, key.to_table].join("\n");
  return {
    ...catalog,
    tables: [...catalog.tables].sort((left, right) => compare(keyOf(left), keyOf(right))),
    foreign_keys: [...(catalog.foreign_keys ?? [])].sort((left, right) => compare(place(left), place(right))),
  };
}

/** The catalog with each column replaced by what `change` returns. */
export function withColumns(catalog: Catalog, change: (column: Column, table: Table) => Column): Catalog {
  const tables = catalog.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => change(column, table)),
  }));
  return { ...catalog, tables };
}

/** Number of listed values. */
export function valueCount(catalog: Catalog): number {
  const counts = catalog.tables.flatMap((table) => table.columns.map((column) => column.values?.values.length ?? 0));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The catalog without anything that was read from rows. */
export function withoutValues(catalog: Catalog): Catalog {
  return withColumns(catalog, ({ values: _values, minimum: _minimum, maximum: _maximum, ...column }) => column);
}
