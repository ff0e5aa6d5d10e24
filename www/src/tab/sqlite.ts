import start, { type Database as Handle, type Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import type { Cell, CutCell, DataType, ResultSet } from "wherefore";
import { familyOf } from "../schema/catalog.js";
import { TabError } from "./protocol.js";

/** Longest time that a statement may take, in milliseconds. */
const TIME_LIMIT = 20_000;
/** Number of virtual-machine steps between two looks at the clock. */
const STEPS = 10_000;
/** Longest text of a cell, in characters. */
const CELL_LIMIT = 10_000;
/** Number of cut cells that are listed; all are counted. */
const CUT_CELLS = 100;

let loading: Promise<Sqlite3Static> | undefined;

/** Loads SQLite, once. */
export function loadSqlite(): Promise<Sqlite3Static> {
  loading ??= start().catch((thrown: unknown) => {
    loading = undefined;
    throw thrown;
  });
  return loading;
}

/** A database in memory that can only be read once `lock` was called. */
export class Database {
  #deadline = Infinity;

  private constructor(
    readonly sqlite: Sqlite3Static,
    readonly handle: Handle,
  ) {}

  /** An empty database, to be filled. */
  static async empty(): Promise<Database> {
    const sqlite = await loadSqlite();
    const own = new Database(sqlite, new sqlite.oo1.DB(":memory:"));
    own.handle.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;");
    return own;
  }

  /** The bytes of an SQLite file, read-only. */
  static async of(bytes: Uint8Array): Promise<Database> {
    const sqlite = await loadSqlite();
    // A database in memory has no write-ahead log; versions 1 say that there is none.
    if (bytes[18] === 2) bytes[18] = bytes[19] = 1;
    const { capi, wasm } = sqlite;
    const handle = new sqlite.oo1.DB(":memory:");
    const pointer = wasm.allocFromTypedArray(bytes);
    const flags = capi.SQLITE_DESERIALIZE_READONLY | capi.SQLITE_DESERIALIZE_FREEONCLOSE;
    const code = capi.sqlite3_deserialize(handle.pointer!, "main", pointer, bytes.length, bytes.length, flags);
    handle.checkRc(code);
    return new Database(sqlite, handle);
  }

  /** Forbids every change, and trust in what the file defines. */
  lock(): void {
    const { capi } = this.sqlite;
    const pointer = this.handle.pointer!;
    this.handle.exec("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;");
    capi.sqlite3_db_config(pointer, capi.SQLITE_DBCONFIG_DEFENSIVE, 1, 0);
    capi.sqlite3_db_config(pointer, capi.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, 0);
    capi.sqlite3_limit(pointer, capi.SQLITE_LIMIT_ATTACHED, 0);
    capi.sqlite3_progress_handler(pointer, STEPS, () => (performance.now() > this.#deadline ? 1 : 0), 0);
  }

  /** Runs a checked statement and returns at most `rowLimit` rows. */
  run(sql: string, rowLimit: number): ResultSet {
    const started = performance.now();
    this.#deadline = started + TIME_LIMIT;
    const statement = this.#prepare(sql);
    try {
      const { capi } = this.sqlite;
      const columns = statement.getColumnNames().map((name, index) => {
        const declared = capi.sqlite3_column_decltype(statement.pointer!, index);
        return declared ? { name, data_type: familyOf(declared) } : { name };
      });
      const rows: Cell[][] = [];
      const cut_cells: CutCell[] = [];
      let cut_count = 0;
      let truncated = false;
      while (statement.step()) {
        if (rows.length === rowLimit) {
          truncated = true;
          break;
        }
        const values = columns.map((_, index) => statement.get(index));
        for (const [column, value] of values.entries()) {
          if (!isCut(value)) continue;
          if (cut_cells.length < CUT_CELLS) cut_cells.push({ row: rows.length, column, length: bytesOf(value) });
          cut_count += 1;
        }
        rows.push(values.map(cellOf));
      }
      const typed = columns.map((it, index) => ({ ...it, ...typeOf(rows, index, it) }));
      return { columns: typed, rows, truncated, cut_cells, cut_count };
    } catch (thrown) {
      throw this.#failure(thrown);
    } finally {
      statement.finalize();
      this.#deadline = Infinity;
    }
  }

  close(): void {
    this.handle.close();
  }

  #prepare(sql: string) {
    try {
      return this.handle.prepare(sql);
    } catch (thrown) {
      throw this.#failure(thrown);
    }
  }

  #failure(thrown: unknown): TabError {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    if (/interrupt/i.test(message)) {
      return new TabError("statement_timeout", `The statement was stopped after ${TIME_LIMIT / 1000} seconds.`);
    }
    return new TabError("statement_failed", message.replace(/^SQLITE_\w+: sqlite3 result code \d+: /, ""));
  }
}

/** Numeric columns without a declared type, so that they are aligned as numbers. */
function typeOf(rows: Cell[][], index: number, column: { data_type?: DataType }): { data_type?: DataType } {
  if (column.data_type) return {};
  const cells = rows.map((row) => row[index]).filter((cell) => cell !== null);
  return cells.length > 0 && cells.every((cell) => typeof cell === "number") ? { data_type: "number" } : {};
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function isCut(value: unknown): value is string {
  return typeof value === "string" && value.length > CELL_LIMIT;
}

function cellOf(value: unknown): Cell {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (isCut(value)) return `${value.slice(0, CELL_LIMIT)}…`;
  return value as Cell;
}

/** An identifier in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text in SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
