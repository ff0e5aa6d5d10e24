// CPU time in microseconds that the entry `wherefore/sql` takes to read, bind and lint a statement; one value for each round.
// Arguments: package folder, statements, catalog of the statements.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROUNDS = 9;
const STATEMENTS = 2_000;
const [folder, ...files] = process.argv.slice(2);
const { init, Statements } = await import(pathToFileURL(join(folder, "dist/sql-node.js")));
await init();
const [statements, catalog] = files.map((file) => JSON.parse(readFileSync(file, "utf8")));
const reader = Statements.create(catalog);

const times = Math.ceil(STATEMENTS / statements.length);
// The first round is a warm-up: V8 still optimises the module.
const rounds = Array.from({ length: ROUNDS + 1 }, () => {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) {
    for (const sql of statements) reader.lint(sql);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (times * statements.length);
});
console.log(JSON.stringify(rounds.slice(1)));
