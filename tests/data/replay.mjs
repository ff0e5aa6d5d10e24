// Replays sessions on the package and prints the result of each event as JSON.
// Arguments: folder of the package, file of {knowledge, today, sessions: [{question, events}]}.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { takeStep } from "./take_step.mjs";

const [folder, input, output] = process.argv.slice(2);
const { Engine, init, Session } = await import(pathToFileURL(join(folder, "dist/node.js")));
await init();
const { knowledge, today, sessions } = JSON.parse(readFileSync(input, "utf8"));

const engine = Engine.create(knowledge);
const replayed = sessions.map(({ question, events }) => {
  let session = Session.create(engine);
  const steps = events.map((event) => {
    const step = takeStep(session, event);
    // Every session is restored from its own snapshot after each event.
    const restored = Session.restore(engine, step.snapshot);
    session.free();
    session = restored;
    return step;
  });
  session.free();
  return { steps, preview: engine.preview(question, today) };
});
writeFileSync(output, JSON.stringify(replayed));
