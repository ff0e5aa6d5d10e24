// Takes steps of sessions with the package and prints the result of each as JSON.
// Arguments: folder of the package, file of {knowledge: [], steps: [{knowledge, before, event}]}; `before` is a snapshot.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { takeStep } from "./take_step.mjs";

const [folder, input, output] = process.argv.slice(2);
const { Engine, init, Session } = await import(pathToFileURL(join(folder, "dist/node.js")));
await init();
const { knowledge, steps } = JSON.parse(readFileSync(input, "utf8"));

const engines = knowledge.map((known) => Engine.create(known));
const taken = steps.map(({ knowledge: index, before, event }) => {
  const engine = engines[index];
  const session = Session.restore(engine, before);
  const step = takeStep(session, event);
  if (event.type === "ask") step.preview = engine.preview(event.text, event.today);
  session.free();
  return step;
});
writeFileSync(output, JSON.stringify(taken));
