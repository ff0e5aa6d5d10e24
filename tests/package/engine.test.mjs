// The installed package in Node: loading, previews, sessions driven with an app's own functions, errors.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { drive, Engine, init, Session, WhereforeError } from "wherefore";
import { app, bookshop, installed, ownHost, TODAY } from "./support.mjs";

let engine;

before(async () => {
  assert.throws(() => Engine.create(bookshop()), { name: "InitError", code: "not_initialized" });
  const missing = pathToFileURL(join(app, "missing.wasm"));
  await assert.rejects(init({ wasm: missing }), { name: "InitError", code: "wasm_unavailable" });
  await assert.rejects(init({ wasm: new Uint8Array([1, 2, 3]) }), { code: "wasm_unusable" });
  await assert.rejects(init({ wasm: 7 }), { code: "invalid_argument" });
  await assert.rejects(init({ words: 7 }), { code: "invalid_argument" });
  await assert.rejects(init({ words: missing }), { name: "InitError", code: "words_unavailable" });
  await assert.rejects(init({ words: new Response("", { status: 404 }) }), { code: "words_unavailable" });
  assert.throws(() => Engine.create(bookshop()), { code: "not_initialized" }, "without words there is no engine");
  const first = init();
  assert.equal(init(), first, "a second call loads nothing");
  await first;
  engine = Engine.create(bookshop());
});

/** Runs a module in a new process and returns its output. */
function run(source, ...options) {
  return execFileSync(process.execPath, [...options, "--input-type=module", "--eval", source], { cwd: app }).toString().trim();
}

test("the module loads from a URL, a path, bytes, a Response and a compiled module", () => {
  const file = join(installed, "dist/wasm/core_bg.wasm");
  const address = JSON.stringify(pathToFileURL(file).href);
  const head = `import { init, Engine } from "wherefore"; import { readFileSync } from "node:fs";
    const bytes = readFileSync(new URL(${address}));`;
  const sources = [
    address,
    `new URL(${address})`,
    "bytes",
    "bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)",
    "new Response(bytes)",
    'new Response(bytes, { headers: { "content-type": "application/wasm" } })',
    "Promise.resolve(new Response(bytes))",
    "new WebAssembly.Module(bytes)",
  ];
  for (const source of sources) {
    const tail = `await init({ wasm: ${source} }); console.log(typeof Engine.create({ catalog: { name: "x", tables: [] } }))`;
    assert.equal(run(head + tail), "object", source);
  }
});

test("the words load from a URL, a path, bytes and a Response", () => {
  const address = JSON.stringify(import.meta.resolve("wherefore/data/words.txt"));
  const head = `import { init, Engine } from "wherefore"; import { readFileSync } from "node:fs";
    const bytes = readFileSync(new URL(${address}));`;
  const sources = [address, `new URL(${address})`, "bytes", "new Uint8Array(bytes).buffer", "Promise.resolve(new Response(bytes))"];
  for (const source of sources) {
    const tail = `await init({ words: ${source} }); console.log(typeof Engine.create({ catalog: { name: "x", tables: [] } }))`;
    assert.equal(run(head + tail), "object", source);
  }
});

test("the whole thesaurus ties a rare synonym, the words alone do not", () => {
  const address = JSON.stringify(import.meta.resolve("wherefore/data/thesaurus.txt"));
  const source = `
    import { init, Engine } from "wherefore";
    import { readFileSync } from "node:fs";
    await init();
    const thesaurus = readFileSync(new URL(${address}), "utf8");
    const columns = [{ name: "id", data_type: "integer" }, { name: "name", data_type: "text" }];
    const catalog = { name: "x", tables: [{ name: "students", columns, primary_key: ["id"] }] };
    for (const knowledge of [{ catalog }, { catalog, thesaurus }]) {
      console.log(Engine.create(knowledge).preview("How many educatees are there?", "2026-11-23").sql?.replaceAll("\\n", " ") ?? "no statement");
    }`;
  const [alone, whole] = run(source).split("\n");
  assert.equal(alone, "no statement");
  assert.match(whole, /FROM students/);
});

test("words that are cut off, of another version or something else are refused, and the next call loads the right ones", () => {
  const address = JSON.stringify(import.meta.resolve("wherefore/data/words.txt"));
  const source = `
    import { init, Engine } from "wherefore";
    import { readFileSync } from "node:fs";
    const bytes = readFileSync(new URL(${address}));
    const text = bytes.toString();
    const other = text.replace(/^(wherefore words )[0-9a-f]{16}/, "$1" + "0".repeat(16));
    const codes = [];
    for (const words of ["<!doctype html>", text.slice(0, -1), other].map((it) => new TextEncoder().encode(it))) {
      codes.push(await init({ words }).catch((error) => error.name + " " + error.code));
    }
    await init();
    codes.push(typeof Engine.create({ catalog: { name: "x", tables: [] } }));
    console.log(codes.join("\\n"));`;
  assert.deepEqual(run(source).split("\n"), [
    "InitError words_invalid",
    "InitError words_invalid",
    "InitError words_of_another_version",
    "object",
  ]);
});

test("importing touches neither the network nor WebAssembly nor a window", () => {
  const source = `
    const used = [];
    for (const name of ["fetch", "WebAssembly", "window", "document", "navigator", "location", "localStorage"]) {
      Object.defineProperty(globalThis, name, { configurable: true, get() { used.push(name); return undefined; } });
    }
    await import("wherefore");
    await import("wherefore/sql");
    await import(${JSON.stringify(pathToFileURL(join(installed, "dist/index.js")).href)});
    console.log(JSON.stringify(used));`;
  assert.equal(run(source), "[]");
});

test("a failed load is repeated, in the entry for browsers too", () => {
  const entry = JSON.stringify(pathToFileURL(join(installed, "dist/index.js")).href);
  const source = `
    import { readFileSync } from "node:fs";
    import { init } from ${entry};
    const requests = [];
    let broken = "wasm";
    globalThis.fetch = async (address) => {
      const kind = address.pathname.endsWith(".wasm") ? "wasm" : "words";
      requests.push(kind);
      return kind === broken ? new Response("", { status: 503 }) : new Response(readFileSync(address));
    };
    const codes = [await init().catch((error) => error.code)];
    broken = "words";
    codes.push(await init().catch((error) => error.code));
    broken = "";
    await init();
    await init();
    console.log(...codes, requests.sort().join(" "));`;
  assert.equal(run(source), "wasm_unavailable words_unavailable wasm wasm wasm words words words");
});

test("a preview shows the statement and counts in UTF-16", () => {
  const preview = engine.preview("🍷 books per author", TODAY);
  const phrases = preview.understanding.mentions.map(({ phrase, span }) => [phrase, "🍷 books per author".slice(span.start, span.end)]);
  assert.ok(phrases.length > 0);
  for (const [phrase, slice] of phrases) assert.equal(slice, phrase);
  assert.match(engine.preview("how many books", TODAY).sql, /count\(/);
  assert.deepEqual(structuredClone(preview), preview);
});

test("a session is driven with an app's own functions", async () => {
  const host = ownHost();
  const session = Session.create(engine);
  session.step({ type: "ask", text: "how many books", today: TODAY });
  assert.equal(session.pending.length, 1);
  const states = [];
  const view = await drive(session, host, { onView: ({ state }) => states.push(state) });
  assert.equal(view.outcome, "answered");
  assert.deepEqual(view.result.rows, [[1, null]], "NULL is null, as in JSON");
  assert.deepEqual(host.calls, [["run", view.sql]]);
  assert.deepEqual(states, ["executing_query"]);
  session.free();
});

test("clarifications wait, or are answered by the host", async () => {
  const host = ownHost();
  const waiting = Session.create(engine);
  waiting.step({ type: "ask", text: "recent orders", today: TODAY });
  const view = await drive(waiting, host);
  assert.equal(view.state, "awaiting_clarification");
  const answers = view.clarifications.map(({ id, options }) => ({
    clarification_id: id,
    answer: { type: "option", option_id: options[0].id },
  }));
  waiting.step({ type: "answer", answers });
  assert.equal((await drive(waiting, host)).outcome, "answered");

  const answered = Session.create(engine);
  answered.step({ type: "ask", text: "recent orders", today: TODAY });
  const clarify = (clarifications) =>
    clarifications.map(({ id }) => ({ clarification_id: id, answer: { type: "best_guess" } }));
  assert.equal((await drive(answered, { ...host, clarify })).outcome, "answered");
});

test("what the host cannot do or does wrong fails its effect, and the engine stays usable", async () => {
  const refused = Object.assign(new Error("the database is away"), { code: "database_unavailable", retryable: true });
  const cases = [
    [{}, "host_function_missing"],
    [{ run: () => undefined }, "host_result_invalid"],
    [{ run: () => ({ columns: 7 }) }, "host_result_invalid"],
    [{ run: () => Promise.reject(refused) }, "database_unavailable"],
    [{ run: () => { throw "a text"; } }, "host_failed"],
  ];
  for (const [host, code] of cases) {
    const session = Session.create(engine);
    session.step({ type: "ask", text: "how many books", today: TODAY });
    const view = await drive(session, host);
    assert.deepEqual([view.outcome, view.problem.code], ["execution_failed", code]);
    session.step({ type: "retry" });
    assert.equal((await drive(session, ownHost())).outcome, "answered");
  }
});

test("integers of a driver may be BigInt: numbers if they are exact, else text", async () => {
  const session = Session.create(engine);
  session.step({ type: "ask", text: "how many books", today: TODAY });
  const rows = [[3n, 2n ** 53n, -(2n ** 63n), null]];
  const columns = ["a", "b", "c", "d"].map((name) => ({ name }));
  const view = await drive(session, { run: () => ({ columns, rows }) });
  assert.deepEqual(view.result.rows, [[3, "9007199254740992", "-9223372036854775808", null]]);
});

test("half a surrogate pair in a question is read as an unknown character", () => {
  const session = Session.create(engine);
  session.step({ type: "ask", text: "how many books \ud83d, \\ud83d and \u{1f377}", today: TODAY });
  assert.equal(session.view().question, "how many books \ufffd, \\ud83d and \u{1f377}");
});

test("an aborted signal cancels the question", async () => {
  const controller = new AbortController();
  const session = Session.create(engine);
  session.step({ type: "ask", text: "how many books", today: TODAY });
  const run = (statement, signal) => new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    controller.abort();
  });
  const view = await drive(session, { run }, { signal: controller.signal });
  assert.equal(view.state, "cancelled");
  assert.deepEqual(session.pending, []);
});

test("a host that ignores the signal does not keep an aborted question", async () => {
  const controller = new AbortController();
  const session = Session.create(engine);
  session.step({ type: "ask", text: "how many books", today: TODAY });
  const run = () => new Promise(() => controller.abort());
  const view = await drive(session, { run }, { signal: controller.signal });
  assert.equal(view.state, "cancelled");
});

test("continuations of a text can be answered, and their spans count code units", () => {
  const text = "how many boo";
  const found = engine.completions(text, TODAY);
  assert.equal(found[0].label, "how many books");
  for (const { span, insert } of found) {
    const whole = text.slice(0, span.start) + insert + text.slice(span.end);
    assert.ok(engine.preview(whole, TODAY).sql, whole);
  }
  const [first] = engine.completions("🍷 how many boo", TODAY);
  assert.equal(first.span.end, 15);
  assert.deepEqual(engine.completions(text, TODAY, 1), [], "none within a word");
  const session = Session.create(engine);
  session.step({ type: "ask", text: "how many books", today: TODAY });
  assert.ok(Array.isArray(engine.completions("by ", TODAY, 3, session.context())));
  for (const cursor of [-1, 0.5, NaN, "1"]) {
    assert.throws(() => engine.completions(text, TODAY, cursor), { code: "invalid_argument" });
  }
});

test("garbage is refused with a typed error by every method", () => {
  const session = Session.create(engine);
  const before = session.snapshot();
  const garbage = [undefined, null, 7, "x", [], { type: "nothing" }, Symbol("s"), () => 1];
  const calls = [
    (value) => Engine.create(value),
    (value) => engine.preview(typeof value === "string" ? 7 : value, TODAY),
    (value) => engine.preview("books", typeof value === "string" ? 7 : value),
    (value) => engine.previewAfter("books", TODAY, value),
    (value) => engine.completions(typeof value === "string" ? 7 : value, TODAY),
    (value) => engine.completions("books", typeof value === "string" ? 7 : value),
    (value) => engine.completions("books", TODAY, 5, value ?? null),
    (value) => Session.create(value),
    (value) => Session.restore(engine, value),
    (value) => Session.restore(value, before),
    (value) => session.step(value),
    (value) => session.remembered(value, TODAY),
  ];
  for (const [index, call] of calls.entries()) {
    for (const value of garbage) {
      assert.throws(
        () => call(value),
        (error) => error instanceof WhereforeError && error instanceof Error && /^[a-z_]+$/.test(error.code) && error.name.endsWith("Error"),
        `call ${index} with ${String(value)}`,
      );
    }
  }
  assert.equal(session.snapshot(), before);
  assert.match(engine.preview("how many books", TODAY).sql, /count\(/);
});

test("errors say what is wrong: name, code, span", () => {
  const session = Session.create(engine);
  assert.throws(() => session.step({ type: "ask", text: " ", today: TODAY }), { name: "StepError", code: "question_empty" });
  assert.throws(() => session.step({ type: "ask", text: "books", today: "tomorrow" }), { name: "StepError" });
  assert.throws(() => Session.restore(engine, "{}"), { name: "SnapshotError" });
});

test("a handle is released, by free and by its dispose method", () => {
  const own = Engine.create(bookshop());
  const session = Session.create(own);
  session.free();
  session.free();
  assert.throws(() => session.view(), { name: "HandleError", code: "handle_freed" });
  own[Symbol.dispose]();
  assert.throws(() => own.preview("books", TODAY), { code: "handle_freed" });
});

test("a session continues from its snapshot", async () => {
  const session = Session.create(engine);
  session.step({ type: "ask", text: "recent orders", today: TODAY });
  await drive(session, ownHost());
  const restored = Session.restore(engine, session.snapshot());
  assert.deepEqual(restored.view(), session.view());
  session.step({ type: "cancel" });
  assert.equal(restored.view().state, "awaiting_clarification");
});

test("the package contains its licences and no sources of modules", () => {
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const targets = Object.values(exports).flatMap((target) => (typeof target === "string" ? target : Object.values(target)));
  for (const target of [...targets, "LICENSE-WordNet", "LICENSE-MIT", "LICENSE-APACHE", "README.md", "llms.txt"]) {
    assert.ok(readFileSync(join(installed, target)).length > 0, target);
  }
  assert.deepEqual(Object.keys(exports["."])[0], "types");
  assert.throws(() => readFileSync(join(installed, "js/engine.ts")));
});
