import type { Catalog, Table } from "wherefore";
import { keyOf } from "./catalog.js";

/** What the user added about a column, under the names that a pack uses. */
export interface ColumnNotes {
  name: string;
  description?: string;
  synonyms?: string[];
  unit?: string;
}

/** What the user added about a table. */
export interface TableNotes {
  /** Key of the table. */
  name: string;
  description?: string;
  synonyms?: string[];
  columns?: ColumnNotes[];
}

/** The dictionary of the user: tables in the order in which they were first edited. */
export type Notes = TableNotes[];

/** The catalog with the dictionary merged in; a note replaces what the schema says. */
export function applyNotes(catalog: Catalog, notes: Notes): Catalog {
  if (notes.length === 0) return catalog;
  const apply = (table: Table): Table => {
    const own = notes.find((note) => note.name === keyOf(table));
    if (!own) return table;
    const { name: _name, columns = [], ...texts } = own;
    const columnsOf = table.columns.map((column) => {
      const { name: _column, ...changes } = columns.find((note) => note.name === column.name) ?? {};
      return { ...column, ...changes };
    });
    return { ...table, ...texts, columns: columnsOf };
  };
  return { ...catalog, tables: catalog.tables.map(apply) };
}

/** The dictionary with a change of a table, or of one of its columns. */
export function changeNotes(
  notes: Notes,
  table: string,
  column: string | undefined,
  change: { description?: string; synonyms?: string[]; unit?: string },
): Notes {
  const own = notes.find((note) => note.name === table) ?? { name: table };
  const columns = own.columns ?? [];
  const changed: TableNotes =
    column === undefined
      ? { ...own, ...change }
      : {
          ...own,
          columns: columns.some((note) => note.name === column)
            ? columns.map((note) => (note.name === column ? { ...note, ...change } : note))
            : [...columns, { name: column, ...change }],
        };
  return notes.some((note) => note.name === table)
    ? notes.map((note) => (note.name === table ? changed : note))
    : [...notes, changed];
}
