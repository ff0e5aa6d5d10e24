// The entry `wherefore/sql` of the installed package in Node.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Engine, init as initEngine, WhereforeError } from "wherefore";
import { init, readSchema, Statements, translate, transpile, WhereforeError as SameError } from "wherefore/sql";
import { bookshop } from "./support.mjs";

let statements;

before(async () => {
  assert.throws(() => transpile("SELECT 1", "mssql", "sqlite"), { code: "not_initialized" });
  assert.throws(() => Statements.create(bookshop().catalog), { code: "not_initialized" });
  await init();
  statements = Statements.create(bookshop().catalog);
});

test("lint, autocorrect, explain, check and transpile return plain objects", () => {
  const sql = "SELECT '🍷' AS wine, nmae FROM authors";
  const [finding] = statements.lint(sql);
  assert.equal(sql.slice(finding.span.start, finding.span.end), "nmae");
  assert.match(statements.autocorrect(sql).sql, /name FROM authors/);
  assert.match(statements.explain("SELECT name FROM authors").sentence, /author/);
  assert.match(statements.check("SELECT * FROM authors"), /name/, "wildcards are expanded");
  assert.equal(transpile("SELECT TOP 3 [name] FROM [authors]", "mssql", "postgres"), "SELECT name\nFROM authors\nLIMIT 3");
});

test("what was asked for reaches the rules", () => {
  const sql = "SELECT name FROM authors";
  assert.deepEqual(statements.lint(sql), []);
  assert.match(statements.lint(sql, { aggregate: "count" })[0].rule, /^S/);
});

test("refused statements carry their diagnostics, of one error class for both entries", () => {
  assert.equal(SameError, WhereforeError);
  const sql = "SELECT '🍷' AS wine; DELETE FROM authors";
  for (const call of [() => statements.check(sql), () => statements.explain(sql), () => transpile(sql, "postgres", "sqlite")]) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof WhereforeError);
      assert.equal(error.name, "StatementError");
      assert.deepEqual(error.span, error.diagnostics[0].span);
      assert.ok(error.diagnostics[0].hint !== null, "absent fields are undefined");
      return true;
    });
  }
  assert.throws(() => statements.check("SELECT pg_sleep(1)"), { code: "statement_refused" });
});

test("garbage is refused with a typed error", () => {
  for (const value of [undefined, null, 7, {}, [], Symbol("s")]) {
    for (const method of ["lint", "autocorrect", "explain", "check"]) {
      assert.throws(() => statements[method](value), { code: "invalid_argument" }, method);
    }
    assert.throws(() => transpile(value, "mssql", "sqlite"), { code: "invalid_argument" });
    assert.throws(() => transpile("SELECT 1", value, "sqlite"), { code: "invalid_argument" });
    assert.throws(() => translate("SELECT 1", "mssql", value), { code: "invalid_argument" });
    assert.throws(() => Statements.create(value), { name: "CatalogError", code: "invalid_catalog" });
  }
  assert.throws(() => statements.lint("SELECT 1", { aggregate: "cuont" }), { name: "AskedError", code: "invalid_asked" });
  assert.throws(() => transpile("SELECT 1", "dbase", "sqlite"), { name: "DialectError", code: "unknown_dialect" });
  assert.deepEqual(statements.lint("SELECT name FROM authors"), []);
});

test("a schema becomes a catalog that the engine understands", async () => {
  const catalog = readSchema(
    `CREATE TABLE authors (id integer PRIMARY KEY, name text NOT NULL, email text);
     CREATE TABLE books (id integer PRIMARY KEY, author_id integer REFERENCES authors, published date);
     COMMENT ON TABLE books IS 'One title';`,
    "postgres",
  );
  assert.deepEqual(catalog.tables.map(({ name }) => name), ["authors", "books"]);
  assert.deepEqual(catalog.foreign_keys, [
    { from_table: "books", from_columns: ["author_id"], to_table: "authors", to_columns: ["id"] },
  ]);
  assert.equal(catalog.tables[0].columns[2].sensitive, true);
  assert.equal(catalog.tables[1].description, "One title");
  await initEngine();
  const engine = Engine.create({ catalog });
  assert.match(engine.preview("how many books per author", "2026-11-20").sql, /JOIN authors/);
  engine.free();
});

test("a schema that cannot be read is refused with its line", () => {
  const sql = "CREATE TABLE a (\n  wine text DEFAULT '🍷', 7\n);";
  assert.throws(() => readSchema(sql, "postgres"), (error) => {
    assert.equal(error.name, "SchemaError");
    assert.equal(error.code, "schema_unreadable");
    assert.match(error.message, /^line 2: /);
    assert.equal(sql[error.span.start], "7");
    return true;
  });
  const orphan = "CREATE TABLE a (\n  b integer REFERENCES missing\n)";
  assert.throws(() => readSchema(orphan, "sqlite"), { code: "schema_unreadable", message: /^line 2: .*missing/ });
  for (const text of ["", "hello", "SELECT 1", " ".repeat(10_000_001), `CREATE TABLE a (b text DEFAULT ${"(".repeat(9999)}`]) {
    assert.throws(() => readSchema(text, "sqlite"), { code: "schema_unreadable" });
  }
  for (const value of [undefined, null, 7, {}, Symbol("s")]) {
    assert.throws(() => readSchema(value, "sqlite"), { code: "invalid_argument" });
    assert.throws(() => readSchema("", value), { code: "invalid_argument" });
  }
  assert.throws(() => readSchema("", "mysql"), { name: "DialectError", code: "unknown_dialect" });
});

test("a translation says what it assumes, and knows the types of a catalog", () => {
  const sql = "SELECT '🍷', day + 7 FROM t";
  const { doubts } = translate(sql, "oracle", "sqlite");
  assert.match(doubts[0].message, /taken for a number/);
  assert.equal(sql.slice(doubts[0].span.start, doubts[0].span.end), "day");
  const catalog = readSchema("CREATE TABLE t (day date)", "sqlite");
  const known = translate(sql, "oracle", "sqlite", catalog);
  assert.deepEqual(known.doubts, []);
  assert.match(known.sql, /\+7 day/);
  assert.throws(() => translate(sql, "oracle", "sqlite", { tables: 7 }), { name: "CatalogError", code: "invalid_catalog" });
  assert.throws(() => translate("SELECT", "oracle", "sqlite"), { name: "StatementError", code: "statement_not_carried_over" });
});

test("a freed object is refused", () => {
  const own = Statements.create(bookshop().catalog);
  own[Symbol.dispose]();
  assert.throws(() => own.lint("SELECT 1"), { code: "handle_freed" });
});
