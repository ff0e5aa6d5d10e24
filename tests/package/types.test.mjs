// `tsc --strict` accepts a program that uses every export, and rejects wrong ones.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as engine from "wherefore";
import * as clarify from "wherefore/clarify";
import * as sql from "wherefore/sql";
import { app, required } from "./support.mjs";

/** Output of tsc; empty if it accepts the file. The declarations of the package are checked as well. */
function check(file, ...options) {
  const strict = ["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--typeRoots", "none"];
  try {
    execFileSync(process.execPath, [required("WHEREFORE_TSC"), ...strict, ...options, file], { cwd: app });
    return "";
  } catch (error) {
    return error.stdout.toString();
  }
}

test("a program that uses every export compiles, for bundlers and for Node", () => {
  const source = readFileSync(join(app, "usage.ts"), "utf8");
  for (const name of [engine, clarify, sql].flatMap(Object.keys)) assert.match(source, new RegExp(`\\b${name}\\b`));
  const bundler = ["--target", "ES2022", "--module", "ESNext", "--moduleResolution", "bundler", "--lib", "ES2022,DOM"];
  assert.equal(check("usage.ts", ...bundler), "");
  assert.equal(check("usage.ts", "--target", "ES2022", "--module", "NodeNext"), "");
});

test("every type of the package has one declaration", () => {
  for (const file of ["wire.d.ts", "sql-wire.d.ts"]) {
    const text = readFileSync(join(app, "node_modules/wherefore/dist", file), "utf8");
    const names = [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map((match) => match[1]);
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    assert.deepEqual(twice, [], file);
  }
});

test("the JSON schema defines every object, and what each refers to", () => {
  const dist = join(app, "node_modules/wherefore/dist");
  const text = readFileSync(join(dist, "schema.json"), "utf8");
  const { definitions } = JSON.parse(text);
  const types = readFileSync(join(dist, "wire.d.ts"), "utf8").matchAll(/^export (?:type|interface) (\w+)/gm);
  for (const [, name] of types) assert.ok(definitions[name], name);
  for (const [, name] of text.matchAll(/"#\/definitions\/(.*?)"/g)) assert.ok(definitions[decodeURIComponent(name)], name);
  assert.deepEqual(definitions.Catalog.required, ["name", "tables"]);
});

test("wrong programs are rejected", () => {
  const wrong = [
    `session.step({ type: "aks", text: "x", today: "2026-01-01" });`,
    `session.step({ type: "ask", text: "x" });`,
    `const text: number = engine.preview("x", "2026-01-01").clarifications[0]!.question;`,
    `createAsk({ engine, host: { run: () => 7 } });`,
    `new Engine();`,
    `document.createElement("wherefore-clarify").clarifications = 7;`,
  ];
  const head = `import "wherefore/clarify"; import { createAsk, Engine, Session } from "wherefore";
    declare const engine: Engine; declare const session: Session; void [createAsk, engine, session, Engine];\n`;
  writeFileSync(join(app, "wrong.ts"), `${head}${wrong.join("\n")}`);
  const faults = check("wrong.ts", "--target", "ES2022", "--module", "NodeNext");
  const lines = new Set([...faults.matchAll(/wrong\.ts\((\d+),/g)].map((match) => Number(match[1]) - 2));
  assert.deepEqual([...lines].sort(), [1, 2, 3, 4, 5, 6], faults);
});
