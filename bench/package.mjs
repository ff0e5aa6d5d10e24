// Measures the package in Node: compressed sizes of the modules and the words, cold starts in separate processes, and speed of linting.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { readKnowledge } from "./knowledge.mjs";

const STARTS = 15;
const { WHEREFORE_FIGURES, WHEREFORE_PACKAGE } = process.env;
const here = dirname(fileURLToPath(import.meta.url));

/** Size of a file of the package after brotli compression. */
function brotli(path) {
  const bytes = readFileSync(join(WHEREFORE_PACKAGE, "dist", path));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params }).length;
}

const FILES = { core: "wasm/core_bg.wasm", sql: "wasm/sql_bg.wasm", words: "data/words.txt" };

const folder = mkdtempSync(join(tmpdir(), "wherefore-bench-"));
try {
  const knowledge = join(folder, "knowledge.json");
  writeFileSync(knowledge, await readKnowledge());
  const starts = Array.from({ length: STARTS }, () =>
    JSON.parse(execFileSync(process.execPath, [join(here, "package-start.mjs"), WHEREFORE_PACKAGE, knowledge])),
  );
  const statements = [join(here, "sql/statements.json"), join(here, "../sql/tests/data/shop.json")];
  const lint_us = JSON.parse(
    execFileSync(process.execPath, [join(here, "package-lint.mjs"), WHEREFORE_PACKAGE, ...statements]),
  );
  const brotli_bytes = Object.fromEntries(Object.entries(FILES).map(([name, path]) => [name, brotli(path)]));
  writeFileSync(WHEREFORE_FIGURES, JSON.stringify({ brotli_bytes, starts, lint_us }));
  console.log(`${starts.length} starts measured in Node ${process.version}`);
} finally {
  rmSync(folder, { recursive: true });
}
