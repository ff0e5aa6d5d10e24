/// <reference lib="esnext.disposable" preserve="true" />
import { WhereforeError, held, text, typed } from "./errors.js";
import { type InitOptions, Loader } from "./load.js";
import type {
  Asked,
  Corrected,
  Diagnostic,
  Dialect,
  Explained,
  Finding,
  ReadDialect,
  Target,
  Translated,
} from "./sql-wire.js";
import type { Catalog } from "./wire.js";
import start, * as raw from "./wasm/sql.js";

export { WhereforeError } from "./errors.js";
export type { ErrorDetails } from "./errors.js";
export type { InitOptions, WasmSource } from "./load.js";
export type * from "./sql-wire.js";

const loader = new Loader(
  (module) => start({ module_or_path: module }),
  () => new URL("./wasm/sql_bg.wasm", import.meta.url),
);

/** Loads the Wasm module of this entry; every other call needs it. Can be called again, also after a failure. */
export function init(options?: InitOptions): Promise<void> {
  return loader.load(options);
}

/**
 * Statements on one data source, in its dialect: linted, corrected, explained and checked. None is ever executed.
 *
 * `asked` says what the question asked for; rules about the shape of the result need it. Spans count UTF-16 code units.
 */
export class Statements {
  #raw: raw.Statements | undefined;

  private constructor(made: raw.Statements) {
    this.#raw = made;
  }

  /** Reads a catalog, such as `knowledge.catalog`. Throws `CatalogError` if it has another shape. */
  static create(catalog: Catalog): Statements {
    loader.require();
    const made = typed(() => raw.Statements.create(json(catalog)));
    const fault = made.fault();
    if (fault === undefined) return new Statements(made);
    made.free();
    throw new WhereforeError("CatalogError", "invalid_catalog", fault);
  }

  /** Findings in a statement, in the order of the text. Throws `AskedError` if `asked` has another shape. */
  lint(sql: string, asked?: Asked): Finding[] {
    return this.#call((raw) => raw.lint(text(sql, "sql"), optional(asked)));
  }

  /** Applies the fixes of errors that have exactly one plausible correction; spans of `left` refer to the new text. */
  autocorrect(sql: string, asked?: Asked): Corrected {
    return this.#call((raw) => raw.autocorrect(text(sql, "sql"), optional(asked)));
  }

  /** Explains a statement step by step and in one sentence. Throws `StatementError` if it cannot be parsed. */
  explain(sql: string): Explained {
    return this.#call((raw) => raw.explain(text(sql, "sql")));
  }

  /**
   * Checks a statement with the guard and returns it as printed from the checked tree. Throws `StatementError` with all
   * faults if it is refused. A convenience: only the guard of a server protects data.
   */
  check(sql: string): string {
    return this.#call((raw) => raw.check(text(sql, "sql")));
  }

  #call<T>(call: (raw: raw.Statements) => string): T {
    return answer(() => call(held(this.#raw, "catalog")));
  }

  /** Releases the memory; the object cannot be used afterwards. */
  free(): void {
    this.#raw?.free();
    this.#raw = undefined;
  }

  /** Same as `free`, for `using`. */
  declare [Symbol.dispose]: () => void;
}

// Older browsers have no `Symbol.dispose`.
if (Symbol.dispose) Statements.prototype[Symbol.dispose] = Statements.prototype.free;

/**
 * Reads the statements that define a schema, such as a dump, and returns a catalog without values.
 *
 * Reads `CREATE TABLE`, `CREATE VIEW` with named columns, `ALTER TABLE … ADD` and `COMMENT ON`, and skips other statements.
 * Columns whose names suggest personal data or secrets are marked `sensitive`. At most 10 MB.
 *
 * Throws `SchemaError`, whose message names the line, if a definition cannot be parsed, a foreign key refers to an unknown
 * table or column, or there is no table; `DialectError` if the dialect is unknown.
 */
export function readSchema(sql: string, dialect: Dialect): Catalog {
  loader.require();
  return answer(() => raw.readSchema(text(sql, "sql"), text(dialect, "dialect")));
}

/**
 * Rewrites a query of one dialect for another, with the types of the columns in the catalog. `doubts` says where the
 * meaning depends on a type that is not known, with positions in `sql`; without a catalog, no type is known.
 *
 * Throws `StatementError` if it cannot be parsed or has no equivalent, `DialectError` if a dialect is unknown, and
 * `CatalogError` if the catalog has another shape.
 */
export function translate(sql: string, from: ReadDialect, to: Target, catalog?: Catalog): Translated {
  loader.require();
  return answer(() => {
    const known = catalog === undefined ? undefined : json(catalog);
    return raw.translate(text(sql, "sql"), text(from, "from"), text(to, "to"), known);
  });
}

/**
 * Rewrites a query of one dialect for another, without a catalog and without its doubts; see `translate`.
 *
 * Throws `StatementError` if it cannot be parsed or has no equivalent, and `DialectError` if a dialect is unknown.
 */
export function transpile(sql: string, from: ReadDialect, to: Target): string {
  loader.require();
  return answer(() => raw.transpile(text(sql, "sql"), text(from, "from"), text(to, "to")));
}

interface Reply<T> {
  value: T;
  error?: { name: string; code: string; message: string; diagnostics?: Diagnostic[] };
}

function answer<T>(call: () => string): T {
  const reply = JSON.parse(typed(call)) as Reply<T>;
  if (!reply.error) return reply.value;
  const { name, code, message } = reply.error;
  const diagnostics = reply.error.diagnostics?.map((fault) => ({ ...fault, hint: fault.hint ?? undefined }));
  throw new WhereforeError(name, code, message, { diagnostics });
}

function optional(asked: Asked | undefined): string | undefined {
  return asked === undefined || asked === null ? undefined : json(asked);
}

/** The value as JSON; `null` for what has none, which the module rejects. */
function json(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
