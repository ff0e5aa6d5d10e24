// What an app does wrong: garbage for each argument of the installed package, and sessions without end.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createAsk, drive, Engine, init, proxyHost, Session, WhereforeError } from "wherefore";
import * as sql from "wherefore/sql";
import { bookshop, ownHost, TODAY } from "./support.mjs";

/** Memories of the modules, in the order in which they were loaded. */
const memories = [];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  const { exports } = made.instance ?? made;
  // Node's own modules have other exports.
  if ("__wbindgen_start" in exports) memories.push(exports.memory);
  return made;
};

let engine;
let statements;
before(async () => {
  await init();
  await sql.init();
  engine = Engine.create(bookshop());
  statements = sql.Statements.create(bookshop().catalog);
});

const cyclic = { type: "ask", text: "x", today: TODAY };
cyclic.again = cyclic;
let deep = {};
for (let level = 0; level < 20_000; level++) deep = { and: [deep] };
const throwing = { get: () => fail(), ownKeys: () => fail(), has: () => fail(), getPrototypeOf: () => fail() };
function fail() {
  throw new RangeError("a trap of the test");
}

/** Values of no use; all but the texts are refused wherever a text is expected. */
const GARBAGE = {
  undefined: undefined,
  null: null,
  true: true,
  NaN: NaN,
  "a number": -1e300,
  "a BigInt": 7n,
  "a symbol": Symbol("s"),
  "a function": () => 1,
  "an empty text": "",
  "half a character": "\ud83c",
  "a long text": "recent orders ".repeat(100_000),
  "an array": [],
  "a sparse array": new Array(100_000),
  "an object": {},
  "a date": new Date(NaN),
  "a map": new Map([[1, 2]]),
  bytes: new Uint8Array(9),
  "a promise": Promise.resolve(1),
  "a cycle": cyclic,
  "a deep object": deep,
  "a getter that throws": { get type() { return fail(); }, get catalog() { return fail(); } },
  "a proxy that throws": new Proxy({}, throwing),
  "an array that throws": new Proxy([], throwing),
  "an event of wrong types": { type: "ask", text: 7, today: [] },
  "an unknown event": { type: "__proto__", constructor: {} },
};

/** Calls, and awaits what is returned; whatever is thrown must be of the package. Returns whether it was refused. */
async function isRefused(call, place) {
  try {
    await call();
    return false;
  } catch (error) {
    assert.ok(error instanceof WhereforeError, `${place}: ${error?.name} ${error?.message}`);
    assert.match(error.code, /^[a-z_]+$/, place);
    assert.notEqual(error.code, "engine_stopped", place);
    assert.ok(error.message, place);
    return true;
  }
}

/** Gives each piece of garbage to a function; `accepts` names what it may take. */
async function refuses(name, call, accepts = []) {
  for (const [kind, value] of Object.entries(GARBAGE)) {
    const place = `${name} of ${kind}`;
    const refused = await isRefused(() => call(value), place);
    assert.equal(refused, !accepts.includes(kind), place);
  }
}

/** What is JSON without fields. */
const OBJECTS = ["an object", "a map", "a promise"];
const EMPTY = ["an array", ...OBJECTS];
const TEXTS = ["an empty text", "half a character", "a long text"];

/** Asserts that engine and statements still work. */
function assertUsable(session) {
  assert.match(engine.preview("how many books", TODAY).sql, /count\(/);
  assert.deepEqual(statements.lint("SELECT name FROM authors"), []);
  if (!session) return;
  session.step({ type: "ask", text: "how many books", today: TODAY });
  assert.equal(session.view().state, "executing_query");
}

test("an engine refuses garbage", async () => {
  await refuses("Engine.create", (value) => Engine.create(value));
  await refuses("preview", (value) => engine.preview(value, TODAY), TEXTS);
  await refuses("preview on a day", (value) => engine.preview("books", value), TEXTS);
  await refuses("previewAfter", (value) => engine.previewAfter("books", TODAY, value));
  assertUsable();
});

test("a session refuses garbage, and goes on", async () => {
  const session = Session.create(engine);
  await refuses("Session.create", (value) => Session.create(value));
  await refuses("Session.create with a start", (value) => Session.create(engine, value), ["undefined", ...OBJECTS]);
  await refuses("Session.restore", (value) => Session.restore(engine, value));
  await refuses("Session.restore with", (value) => Session.restore(value, session.snapshot()));
  await refuses("step", (value) => session.step(value));
  await refuses("a question", (value) => session.step({ type: "ask", text: value, today: TODAY }));
  await refuses("a day", (value) => session.step({ type: "ask", text: "books", today: value }));
  await refuses("answers", (value) => session.step({ type: "answer", answers: value }));
  await refuses("an answer", (value) => session.step({ type: "answer", answers: [value] }));
  await refuses("a correction", (value) => session.step({ type: "correct", correction: value }));
  await refuses("a result", (value) => session.step({ type: "effect_result", effect_id: 1, result: value }));
  await refuses("an effect", (value) => session.step({ type: "effect_result", effect_id: value, result: { type: "values", found: [] } }));
  await refuses("remembered", (value) => session.remembered(value, TODAY));
  assertUsable(session);
  session.free();
});

test("drive refuses garbage, and makes problems of what a host returns", async () => {
  await refuses("drive", (value) => drive(value, {}));
  const session = Session.create(engine);
  const ask = () => session.step({ type: "ask", text: "how many books", today: TODAY });
  for (const [kind, value] of Object.entries(GARBAGE)) {
    ask();
    await isRefused(() => drive(session, value), `a host that is ${kind}`);
    await isRefused(() => drive(session, {}, value), `options that are ${kind}`);
    await isRefused(() => drive(session, {}, { signal: value, onView: value }), `options of ${kind}`);
    ask();
    await isRefused(() => drive(session, { run: value }), `run that is ${kind}`);
    for (const result of [value, { columns: value, rows: [] }, { columns: [{ name: "n" }], rows: [[value]] }]) {
      ask();
      const view = await drive(session, { run: () => result });
      assert.ok(["answered", "execution_failed"].includes(view.outcome), `rows of ${kind}: ${view.outcome}`);
    }
    ask();
    await isRefused(() => drive(session, { run: () => { throw value; } }), `run that throws ${kind}`);
    session.step({ type: "ask", text: "recent books", today: TODAY });
    await isRefused(() => drive(session, { ...ownHost(), clarify: value }), `clarify that is ${kind}`);
    await isRefused(() => drive(session, { ...ownHost(), clarify: () => value }), `answers of ${kind}`);
    await isRefused(() => drive(session, { clarify: () => { throw value; } }), `clarify that throws ${kind}`);
  }
  assertUsable(session);
  session.free();
});

test("a store and a proxy refuse garbage", async () => {
  await refuses("createAsk", createAsk);
  await refuses("an engine of a store", (value) => createAsk({ engine: value, host: {} }));
  await refuses("a listener", (value) => createAsk({ engine, host: {} }).subscribe(value), ["a function"]);
  await refuses("proxyHost", proxyHost);
  const host = proxyHost({ url: "http://127.0.0.1:9", fetch: async () => new Response("{}") });
  for (const name of ["values", "run"]) await refuses(name, (value) => host[name](value));
  for (const [kind, value] of Object.entries(GARBAGE)) {
    const ask = createAsk({ engine, host: ownHost(), today: () => TODAY });
    for (const name of ["type", "ask", "answer", "change", "correct", "retry", "cancel"]) {
      assert.equal(await isRefused(() => ask[name](value, value), `${name} of ${kind}`), false, "a store tells errors in its state");
      const { error } = ask.state;
      if (error) assert.match(error.code, /^[a-z_]+$/, `${name} of ${kind}`);
    }
    await ask.ask("how many books");
    assert.equal(ask.state.view.outcome, "answered", kind);
    ask.free();
  }
});

test("the module for SQL refuses garbage", async () => {
  await refuses("Statements.create", (value) => sql.Statements.create(value));
  for (const name of ["lint", "autocorrect"]) {
    await refuses(name, (value) => statements[name](value), TEXTS);
    const accepted = ["undefined", "null", ...EMPTY];
    await refuses(`asked of ${name}`, (value) => statements[name]("SELECT name FROM authors", value), accepted);
  }
  for (const name of ["explain", "check"]) await refuses(name, (value) => statements[name](value));
  await refuses("readSchema", (value) => sql.readSchema(value, "sqlite"));
  await refuses("readSchema in", (value) => sql.readSchema("CREATE TABLE a (b integer)", value));
  for (const call of [sql.transpile, sql.translate]) {
    await refuses(call.name, (value) => call(value, "mssql", "sqlite"));
    await refuses(`${call.name} from`, (value) => call("SELECT 1", value, "sqlite"));
    await refuses(`${call.name} to`, (value) => call("SELECT 1", "mssql", value));
  }
  await refuses("a catalog of translate", (value) => sql.translate("SELECT 1", "mssql", "sqlite", value), ["undefined"]);
  assertUsable();
});

test("memory stays flat over 10,000 steps", () => {
  let steps = 0;
  const run = (most) => {
    for (; steps < most; steps += 4) {
      const session = Session.create(engine);
      session.step({ type: "ask", text: "recent books", today: TODAY });
      engine.preview("how many books", TODAY);
      session.view();
      const restored = Session.restore(engine, session.snapshot());
      session.free();
      restored.step({ type: "cancel" });
      assert.throws(() => restored.step({ type: "retry" }), { name: "StepError" });
      restored.free();
      if (steps % 20 === 0) statements.lint("SELECT nmae FROM authors");
    }
    return memories.map((memory) => memory.buffer.byteLength);
  };
  const early = run(1_000);
  assert.equal(early.length, 2);
  assert.deepEqual(run(10_000), early);
});
