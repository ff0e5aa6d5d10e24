// Replays sessions on the package and prints the result of each event as JSON.
// Arguments: folder of the package for Node, file of {knowledge, today, sessions: [{question, events}]}.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, input, output] = process.argv.slice(2);
const { Engine, Session } = createRequire(import.meta.url)(join(folder, "wherefore.js"));
const { knowledge, today, sessions } = JSON.parse(readFileSync(input, "utf8"));

const engine = Engine.create(knowledge);
const replayed = sessions.map(({ question, events }) => {
  let session = Session.create();
  const steps = events.map((event) => {
    const step = {};
    try {
      step.effects = session.step(engine, event);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "StepError") throw error;
      step.refused = error.code;
    }
    step.view = session.view();
    step.snapshot = session.snapshot();
    // Every session is restored from its own snapshot after each event.
    const restored = Session.restore(step.snapshot);
    session.free();
    session = restored;
    return step;
  });
  session.free();
  return { steps, preview: engine.preview(question, today) };
});
writeFileSync(output, JSON.stringify(replayed));
