// Every entry of the package in a runtime without a page.
import { createAsk, Engine, init } from "wherefore";
import { define } from "wherefore/clarify";
import * as sql from "wherefore/sql";
import { catalog } from "./catalog.js";

await Promise.all([init(), sql.init()]);
define();
const host = { run: () => ({ columns: [{ name: "n" }], rows: [[3]] }) };
const ask = createAsk({ engine: Engine.create({ catalog }), host });
await ask.ask("recent orders");
const [{ id, options }] = ask.state.view.clarifications;
const { view } = await ask.answer({ clarification_id: id, answer: { type: "option", option_id: options[0].id } });
const [finding] = sql.Statements.create(catalog).lint("SELECT nmae FROM orders");
console.log(JSON.stringify([view.outcome, view.result.rows, finding.name]));
