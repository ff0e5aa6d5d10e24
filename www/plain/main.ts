import { Engine, init } from "wherefore";
import { today } from "../src/day.js";
import { SAMPLE as catalog } from "../src/schema/sample.js";
import "../src/styles/example.js";

await init();
const engine = Engine.create({ catalog });
const field = document.querySelector("input")!;
field.oninput = () => {
  const { clarifications, sql, problem } = engine.preview(field.value || " ", today());
  const asked = clarifications.map(({ question }) => Object.assign(document.createElement("li"), { textContent: question }));
  document.querySelector("#asked")!.replaceChildren(...asked);
  document.querySelector("#sql")!.textContent = sql ?? problem?.message ?? "";
};
field.dispatchEvent(new Event("input"));
