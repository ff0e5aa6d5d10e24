// Calls the package's methods for SQL text and writes the result of each call as JSON.
// Arguments: folder of the package for Node, file of {knowledge, calls: [{method, sql | units, more}]}, file to write.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [folder, input, output] = process.argv.slice(2);
const { Engine } = createRequire(import.meta.url)(join(folder, "wherefore.js"));
const { knowledge, calls } = JSON.parse(readFileSync(input, "utf8"));

const engine = Engine.create(knowledge);
const results = calls.map(({ method, sql, units, more = [] }) => {
  // Given as UTF-16 code units, since JSON written by Rust cannot contain a lone surrogate.
  const text = sql ?? String.fromCharCode(...units);
  try {
    const value = method === "transpile" ? Engine.transpile(text, ...more) : engine[method](text, ...more);
    return { value };
  } catch (error) {
    const { name, code, message, diagnostics } = error;
    return { error: { name, code, message, diagnostics } };
  }
});
writeFileSync(output, JSON.stringify(results));
