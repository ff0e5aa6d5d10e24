// Asks questions with the package and prints the clarifications of each round as JSON.
// Arguments: folder of the package, file of {today, rounds, sources: [{url, questions: []}]}; `url` is that of a proxy,
// which has the catalog.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, input, output] = process.argv.slice(2);
const { drive, Engine, init, proxyHost, Session } = await import(pathToFileURL(join(folder, "dist/node.js")));
await init();
const { today, rounds, sources } = JSON.parse(readFileSync(input, "utf8"));

/** The last option, or else the best guess. */
function answerTo({ id, options }) {
  const last = options.at(-1);
  const answer = last ? { type: "option", option_id: last.id } : { type: "best_guess" };
  return { clarification_id: id, answer };
}

const all = [];
for (const { url, questions } of sources) {
  const host = proxyHost({ url });
  const engine = Engine.create(await host.knowledge());
  const asked = [];
  for (const text of questions) {
    const session = Session.create(engine);
    const seen = [];
    try {
      session.step({ type: "ask", text, today });
      let view = await drive(session, host);
      while (view.state === "awaiting_clarification") {
        seen.push(view.clarifications);
        if (seen.length === rounds) break;
        session.step({ type: "answer", answers: view.clarifications.map(answerTo) });
        view = await drive(session, host);
      }
    } catch (error) {
      if (error.name !== "StepError") throw error;
    }
    session.free();
    asked.push(seen);
  }
  all.push(asked);
}
writeFileSync(output, JSON.stringify(all));
