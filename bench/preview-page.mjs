// Runs in Chromium: previews every prefix of each suggested question.
import { Engine, init } from "/package/dist/index.js";

const IN_A_ROW = 10;
const BUILDS = 15;
const WARM_UP = 3;

async function measure() {
  await init();
  const knowledge = await (await fetch("/knowledge.json")).json();
  const today = new Date().toISOString().slice(0, 10);

  const indexBuilds = [];
  for (let build = 0; build < BUILDS; build += 1) {
    const start = performance.now();
    const engine = Engine.create(knowledge);
    indexBuilds.push(performance.now() - start);
    engine.free();
  }

  const engine = Engine.create(knowledge);
  const questions = knowledge.catalog.areas.flatMap((area) => area.suggestions ?? []);
  const previews = [];
  for (let round = 0; round < WARM_UP + 1; round += 1) {
    for (const question of questions) {
      for (let length = 1; length <= question.length; length += 1) {
        const typed = question.slice(0, length);
        const start = performance.now();
        for (let time = 0; time < IN_A_ROW; time += 1) engine.preview(typed, today);
        if (round === WARM_UP) previews.push((performance.now() - start) / IN_A_ROW);
      }
    }
  }
  return { previews, index_builds: indexBuilds };
}

window.figures = measure();
