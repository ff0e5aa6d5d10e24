import type { DataType } from "wherefore";
import type { Database } from "./sqlite.js";
import { quoted } from "./sqlite.js";

/** A column of a table that is filled from a file. */
export interface NewColumn {
  name: string;
  type: DataType;
}

const DECLARED: Partial<Record<DataType, string>> = {
  integer: "INTEGER",
  number: "REAL",
  date: "DATE",
  timestamp: "TIMESTAMP",
  boolean: "BOOLEAN",
};

/** Creates a table; each `insert` fills a batch of rows, in which every row has one text or null per column. */
export class Filler {
  readonly #database: Database;
  readonly #statement: { pointer?: number | undefined; finalize(): void };
  readonly #exports: Record<string, (...numbers: number[]) => number>;
  readonly #width: number;
  readonly #encoder = new TextEncoder();
  count = 0;

  constructor(database: Database, table: string, columns: readonly NewColumn[]) {
    this.#database = database;
    this.#width = columns.length;
    const definitions = columns.map(({ name, type }) => `${quoted(name)} ${DECLARED[type] ?? "TEXT"}`);
    const { handle, sqlite } = database;
    handle.exec(`CREATE TABLE ${quoted(table)} (${definitions.join(", ")})`);
    const places = columns.map(() => "?").join(", ");
    this.#statement = handle.prepare(`INSERT INTO ${quoted(table)} VALUES (${places})`) as never;
    // The raw exports take numbers only: a call of them costs a tenth of a call of the wrappers.
    this.#exports = (sqlite.wasm as unknown as { exports: never }).exports;
    handle.exec("BEGIN");
  }

  /** Inserts a batch. The columns' affinities convert numbers. */
  insert(rows: readonly (readonly (string | null | undefined)[])[]): void {
    const { wasm, capi } = this.#database.sqlite;
    const { sqlite3_bind_text, sqlite3_bind_null, sqlite3_step, sqlite3_reset } = this.#exports as Record<
      "sqlite3_bind_text" | "sqlite3_bind_null" | "sqlite3_step" | "sqlite3_reset",
      (...numbers: number[]) => number
    >;
    const pointer = this.#statement.pointer!;
    const width = this.#width;
    const text = rows.map((row) => row.join("")).join("");
    const bytes = this.#encoder.encode(text);
    const isAscii = bytes.length === text.length;
    const start = wasm.allocFromTypedArray(bytes.length > 0 ? bytes : new Uint8Array(1));
    try {
      let place = start as number;
      for (const row of rows) {
        for (let index = 0; index < width; index++) {
          const cell = row[index];
          if (cell === null || cell === undefined || cell === "") {
            sqlite3_bind_null(pointer, index + 1);
            continue;
          }
          const length = isAscii ? cell.length : byteLength(cell);
          sqlite3_bind_text(pointer, index + 1, place, length, 0);
          place += length;
        }
        const code = sqlite3_step(pointer);
        sqlite3_reset(pointer);
        if (code !== capi.SQLITE_DONE) this.#database.handle.checkRc(code);
      }
      this.count += rows.length;
    } finally {
      wasm.dealloc(start);
    }
  }

  /** Ends the table. */
  end(): void {
    this.#statement.finalize();
    this.#database.handle.exec("COMMIT");
  }
}

/** Number of bytes of a text in UTF-8. */
function byteLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) length += 1;
    // Each half of a surrogate pair counts 2 of its 4 bytes.
    if (code > 0x7ff && (code < 0xd800 || code > 0xdfff)) length += 1;
  }
  return length;
}
