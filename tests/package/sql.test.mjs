// The entry `wherefore/sql` of the installed package in Node.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { WhereforeError } from "wherefore";
import { init, Statements, transpile, WhereforeError as SameError } from "wherefore/sql";
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
    assert.throws(() => Statements.create(value), { name: "CatalogError", code: "invalid_catalog" });
  }
  assert.throws(() => statements.lint("SELECT 1", { aggregate: "cuont" }), { name: "AskedError", code: "invalid_asked" });
  assert.throws(() => transpile("SELECT 1", "dbase", "sqlite"), { name: "DialectError", code: "unknown_dialect" });
  assert.deepEqual(statements.lint("SELECT name FROM authors"), []);
});

test("a freed object is refused", () => {
  const own = Statements.create(bookshop().catalog);
  own[Symbol.dispose]();
  assert.throws(() => own.lint("SELECT 1"), { code: "handle_freed" });
});
