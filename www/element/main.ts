import { createAsk, Engine, init } from "wherefore";
import { define } from "wherefore/clarify";
import { SAMPLE as catalog } from "../src/schema/sample.js";
import "../src/styles/example.js";

define();
await init();
const ask = createAsk({ engine: Engine.create({ catalog }), host: {} });
const cards = document.querySelector("wherefore-clarify")!;
const field = document.querySelector("input")!;
const status = document.querySelector("#loading")!;
const sql = document.querySelector("#sql")!;

cards.ask = ask;
ask.subscribe(() => {
  const { view, preview, error } = ask.state;
  status.textContent = error?.message ?? view?.problem?.message ?? view?.confirmation ?? "";
  sql.textContent = view?.sql ?? preview?.sql ?? "";
});
field.onchange = () => {
  ask.reset();
  ask.type(field.value);
  void ask.ask();
};
field.dispatchEvent(new Event("change"));
