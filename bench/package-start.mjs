// One cold start of the package, from the bytes of its module to the first findings: milliseconds of each phase.
// Arguments: package folder, catalog response.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { Engine, initSync } = await import(pathToFileURL(join(folder, "wherefore.js")));
const bytes = readFileSync(join(folder, "wherefore_bg.wasm"));
const knowledge = JSON.parse(readFileSync(file, "utf8"));
const sql =
  "SELECT c.nmae, COUNT(*) AS orders FROM orders AS o JOIN customers AS c ON c.customer_id = o.customer_id GROUP BY c.customer_id ORDER BY orders DESC LIMIT 5";

const times = [performance.now()];
const module = await WebAssembly.compile(bytes);
times.push(performance.now());
initSync({ module });
times.push(performance.now());
const engine = Engine.create(knowledge);
times.push(performance.now());
const found = engine.lint(sql);
times.push(performance.now());
if (found.length === 0) throw new Error("nothing was found in a misspelled statement");
const [compile, instantiate, index, lint] = times.slice(1).map((time, part) => time - times[part]);
console.log(JSON.stringify({ compile, instantiate, index, lint }));
