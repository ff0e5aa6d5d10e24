// Calls the package's methods for SQL text and writes the result of each call as JSON.
// Arguments: folder of the package, file of {knowledge, calls: [{method, sql | units, more}]}, file to write.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, input, output] = process.argv.slice(2);
const { init, Statements, transpile } = await import(pathToFileURL(join(folder, "dist/sql-node.js")));
await init();
const { knowledge, calls } = JSON.parse(readFileSync(input, "utf8"));

const statements = Statements.create(knowledge.catalog);
const results = calls.map(({ method, sql, units, more = [] }) => {
  // Given as UTF-16 code units, since JSON written by Rust cannot contain a lone surrogate.
  const text = sql ?? String.fromCharCode(...units);
  try {
    const value = method === "transpile" ? transpile(text, ...more) : statements[method](text, ...more);
    return { value };
  } catch (error) {
    const { name, code, message, diagnostics } = error;
    return { error: { name, code, message, ...(diagnostics.length > 0 && { diagnostics }) } };
  }
});
writeFileSync(output, JSON.stringify(results));
