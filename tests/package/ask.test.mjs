// The store `createAsk` of the installed package, with an app's own functions.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createAsk, Engine, init } from "wherefore";
import { bookshop, ownHost, TODAY } from "./support.mjs";

let engine;

before(async () => {
  await init();
  engine = Engine.create(bookshop());
});

function store(host = ownHost()) {
  const ask = createAsk({ engine, host, today: () => TODAY });
  const states = [];
  ask.subscribe(() => states.push(ask.state));
  return { ask, states, host };
}

test("typing previews with the engine alone", () => {
  const { ask, states, host } = store();
  assert.equal(ask.state.status, "idle");
  ask.type("how many books");
  assert.match(ask.state.preview.sql, /count\(/);
  ask.type("how many books");
  assert.equal(states.length, 1, "the same text changes nothing");
  ask.type("");
  assert.equal(ask.state.preview, undefined);
  assert.deepEqual(host.calls, []);
});

test("a snapshot is immutable, can be cloned and stays the same object until something changes", async () => {
  const { ask, states } = store();
  const { getState, type } = ask;
  assert.equal(getState(), getState());
  type("how many books");
  const typed = getState();
  assert.throws(() => { typed.text = "x"; }, TypeError);
  assert.throws(() => { typed.preview.clarifications.push(1); }, TypeError);
  await ask.ask();
  assert.equal(typed.view, undefined);
  assert.equal(getState().preview, typed.preview, "a part that did not change stays the same object");
  assert.deepEqual(structuredClone(getState()), getState());
  const before = states.length;
  ask.cancel();
  assert.equal(states.length, before, "there is nothing to cancel");
});

test("a question is asked, answered, changed and corrected", async () => {
  const { ask, states } = store();
  assert.equal((await ask.ask("recent orders")).status, "waiting");
  const [clarification] = ask.state.view.clarifications;
  const answer = (option) => ({ clarification_id: clarification.id, answer: { type: "option", option_id: option.id } });
  assert.equal((await ask.answer(answer(clarification.options[0]))).status, "done");
  const { sql, outcome, result } = ask.state.view;
  assert.deepEqual([outcome, result.rows], ["answered", [[1, null]]]);
  await ask.change(answer(clarification.options[1]));
  assert.notEqual(ask.state.view.sql, sql);
  // The period that was chosen is of the other date.
  await ask.correct({ type: "text", text: "use shipped date" });
  assert.deepEqual([ask.state.error, ask.state.status], [undefined, "waiting"]);
  const [period] = ask.state.view.clarifications;
  await ask.answer({ clarification_id: period.id, answer: { type: "option", option_id: period.options[0].id } });
  assert.match(ask.state.view.sql, /shipped_date >=/);
  assert.deepEqual([...new Set(states.map(({ status }) => status))], ["waiting", "working", "done"]);
});

test("a question after an answer may be a follow-up, until the conversation is reset", async () => {
  const { ask } = store();
  await ask.ask("how many books");
  await ask.ask("per author");
  assert.equal(ask.state.view.follow_up.follows, "how many books");
  ask.reset();
  assert.deepEqual([ask.state.status, ask.state.view], ["idle", undefined]);
  await ask.ask("how many books");
  assert.equal(ask.state.view.follow_up, undefined);
});

test("an action that is not accepted sets the error and changes nothing else", async () => {
  const { ask } = store();
  assert.equal((await ask.answer([])).error.code, "unexpected_event");
  assert.equal((await ask.ask(" ")).error.code, "question_empty");
  await ask.ask("how many books");
  const { view } = ask.state;
  await ask.answer({ clarification_id: "none", answer: { type: "best_guess" } });
  assert.equal(ask.state.view, view);
  assert.ok(ask.state.error.code);
  assert.deepEqual(structuredClone(ask.state), ask.state);
  await ask.ask("how many authors");
  assert.equal(ask.state.error, undefined);
});

test("a newer question and a cancellation take the place of one that still runs", async () => {
  let release;
  const slow = new Promise((resolve) => { release = resolve; });
  const rows = { columns: [{ name: "n" }], rows: [[2]] };
  let runs = 0;
  const { ask } = store({ run: () => (runs++ ? rows : slow) });
  const first = ask.ask("how many books");
  assert.equal(ask.state.status, "working");
  await ask.ask("how many authors");
  release({ columns: [{ name: "n" }], rows: [[1]] });
  await first;
  assert.deepEqual([ask.state.view.question, ask.state.view.result.rows], ["how many authors", [[2]]]);

  const stuck = store({ run: () => new Promise(() => {}) });
  void stuck.ask.ask("how many books");
  stuck.ask.cancel();
  assert.deepEqual([stuck.ask.state.status, stuck.ask.state.view.state], ["done", "cancelled"]);
});

test("an answer that is changed while the statement runs is not cancelled with it", async () => {
  const runs = [];
  const { ask } = store({ run: () => new Promise((done) => runs.push((n) => done({ columns: [{ name: "n" }], rows: [[n]] }))) });
  await ask.ask("recent orders");
  const [{ id, options }] = ask.state.view.clarifications;
  const answer = (option) => ({ clarification_id: id, answer: { type: "option", option_id: option.id } });
  const first = ask.answer(answer(options[0]));
  assert.equal(ask.state.status, "working");
  const second = ask.change(answer(options[1]));
  runs[0](1);
  await first;
  runs[1](2);
  await second;
  assert.deepEqual([ask.state.view.outcome, ask.state.view.result?.rows], ["answered", [[2]]]);
});

test("a store remembers for as long as it lives, and tells what to keep", async () => {
  const memories = [];
  const host = ownHost();
  const ask = createAsk({ engine, host, today: () => TODAY });
  const telling = createAsk({ engine, host, today: () => TODAY, onMemory: (memory) => memories.push(memory) });
  for (const store of [ask, telling]) {
    await store.ask("recent orders");
    const [{ id, options }] = store.state.view.clarifications;
    await store.answer({ clarification_id: id, answer: { type: "option", option_id: options[1].id } }, { remember: [id] });
    assert.equal((await store.ask("recent orders")).status, "done");
  }
  const later = createAsk({ engine, host, today: () => TODAY, memory: memories.at(-1) });
  assert.equal((await later.ask("recent orders")).status, "done");
  assert.equal(later.state.view.assumptions[0].source, "memory");
});

test("an answer is shown although its memory cannot be kept, and a wrong list of what to remember changes nothing", async () => {
  const onMemory = () => { throw new Error("the storage is full"); };
  const ask = createAsk({ engine, host: ownHost(), today: () => TODAY, onMemory });
  await ask.ask("recent orders");
  const [{ id, options }] = ask.state.view.clarifications;
  const answer = { clarification_id: id, answer: { type: "option", option_id: options[1].id } };
  const refused = await ask.answer(answer, { remember: 7 });
  assert.deepEqual([refused.status, refused.error.code], ["waiting", "invalid_argument"]);
  const { status, view, error } = await ask.answer(answer, { remember: [id] });
  assert.deepEqual([status, view.outcome, error.message], ["done", "answered", "the storage is full"]);
});

test("a listener stops hearing after it unsubscribes, and a store can be released", async () => {
  const { ask } = store();
  let heard = 0;
  const stop = ask.subscribe(() => { heard += 1; });
  ask.type("books");
  stop();
  ask.type("authors");
  assert.equal(heard, 1);
  ask[Symbol.dispose]();
  assert.equal(ask.state.status, "idle");
});
