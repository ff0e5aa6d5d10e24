// One cold start of the core, from the bytes of its module to the first preview: milliseconds of each phase.
// Arguments: package folder, catalog response.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { Engine, init } = await import(pathToFileURL(join(folder, "dist/node.js")));
const bytes = readFileSync(join(folder, "dist/wasm/core_bg.wasm"));
const knowledge = JSON.parse(readFileSync(file, "utf8"));

const times = [performance.now()];
const module = await WebAssembly.compile(bytes);
times.push(performance.now());
await init({ wasm: module });
times.push(performance.now());
const engine = Engine.create(knowledge);
times.push(performance.now());
const { sql } = engine.preview("top 5 customers by number of orders", "2026-11-20");
times.push(performance.now());
if (!sql) throw new Error("no statement was composed");
const [compile, instantiate, index, preview] = times.slice(1).map((time, part) => time - times[part]);
console.log(JSON.stringify({ compile, instantiate, index, preview }));
