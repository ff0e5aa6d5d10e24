// The installed package in plain pages in Chromium, and the README's app.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bookshop, installed, required, serveApp, TODAY } from "./support.mjs";

const { chromium } = createRequire(required("WHEREFORE_PLAYWRIGHT"))("@playwright/test");
const IMPORT_MAP = JSON.stringify({
  imports: {
    wherefore: "/node_modules/wherefore/dist/index.js",
    "wherefore/sql": "/node_modules/wherefore/dist/sql.js",
  },
});
const POLICY = "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: required("WHEREFORE_CHROMIUM"),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});
after(() => browser?.close());

/** Opens a page with a module script, and returns what the script assigned to `window.result`, and the paths requested. */
async function open(script, extra = {}, body = "") {
  const paths = [];
  const html = `<!doctype html><meta charset="utf-8"><script type="importmap">${IMPORT_MAP}</script>
    <body>${body}</body><script type="module">${script}</script>`;
  const server = await serveApp({
    extra: { "/": html, "/knowledge.json": JSON.stringify(bookshop()), ...extra },
    handle(_request, response, path) {
      paths.push(path);
      response.setHeader("content-security-policy", POLICY);
    },
  });
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  try {
    await page.goto(server.url);
    await page.waitForFunction(() => "result" in window || document.querySelector("#sql")?.textContent);
    const result = await page.evaluate(() => window.result);
    assert.deepEqual(faults, []);
    return { page, paths, result };
  } catch (error) {
    throw new Error(`${error.message}\n${faults.join("\n")}`);
  } finally {
    server.stop();
  }
}

test("a plain page previews, asks and lints, under a strict policy", async () => {
  const script = `
    import { createAsk, Engine, init } from "wherefore";
    import * as sql from "wherefore/sql";
    await Promise.all([init(), init(), sql.init()]);
    const knowledge = await (await fetch("/knowledge.json")).json();
    const run = () => ({ columns: [{ name: "n" }], rows: [[3]] });
    const ask = createAsk({ engine: Engine.create(knowledge), host: { run }, today: () => "${TODAY}" });
    ask.type("how many books");
    await ask.ask();
    const findings = sql.Statements.create(knowledge.catalog).lint("SELECT nmae FROM authors");
    window.result = { sql: ask.state.preview.sql, rows: ask.state.view.result.rows, rule: findings[0].name };`;
  const { page, paths, result } = await open(script);
  assert.match(result.sql, /count\(/);
  assert.deepEqual(result.rows, [[3]]);
  assert.equal(result.rule, "unknown-column");
  const modules = paths.filter((path) => path.endsWith(".wasm")).map((path) => path.split("/").pop());
  assert.deepEqual(modules.sort(), ["core_bg.wasm", "sql_bg.wasm"], "each module is fetched once");
  assert.equal(paths.filter((path) => path.endsWith("/data/words.txt")).length, 1, "the words are fetched once");
  await page.close();
});

test("the engine does not load the module for SQL", async () => {
  const script = `import { init } from "wherefore"; await init(); window.result = 1;`;
  const { page, paths } = await open(script);
  assert.ok(!paths.some((path) => /sql/.test(path)), paths.join("\n"));
  await page.close();
});

test("a module of another address, and one sent with another media type, load in a worker", async () => {
  const worker = `
    import { createAsk, Engine, init } from "/node_modules/wherefore/dist/index.js";
    await init({ wasm: "/engine.bin", words: "/words.bin" });
    const engine = Engine.create(await (await fetch("/knowledge.json")).json());
    const ask = createAsk({ engine, host: {} });
    ask.type("how many books");
    postMessage(ask.state);`;
  const script = `
    const worker = new Worker("/worker.js", { type: "module" });
    worker.onmessage = ({ data }) => { window.result = data.preview.sql; };`;
  const bytes = readFileSync(join(installed, "dist/wasm/core_bg.wasm"));
  const words = readFileSync(join(installed, "dist/data/words.txt"));
  const { page, result } = await open(script, { "/worker.js": worker, "/engine.bin": bytes, "/words.bin": words });
  assert.match(result, /count\(/);
  await page.close();
});
