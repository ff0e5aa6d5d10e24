// Two versions of the package on one page, as two libraries may bring them, in Chromium.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { app, bookshop, installed, required, serveApp, TODAY } from "./support.mjs";

const { chromium } = createRequire(required("WHEREFORE_PLAYWRIGHT"))("@playwright/test");

const SCRIPT = `
  import * as one from "/node_modules/wherefore/dist/index.js";
  import * as other from "/other/wherefore/dist/index.js";
  import { define } from "/node_modules/wherefore/dist/clarify.js";
  import { define as defineOther } from "/other/wherefore/dist/clarify.js";

  await Promise.all([one.init(), other.init()]);
  const knowledge = await (await fetch("/knowledge.json")).json();
  const copies = [one, other].map((copy) => ({ copy, engine: copy.Engine.create(knowledge), answered: [] }));
  define();
  defineOther();
  defineOther("other-clarify");
  const tags = ["wherefore-clarify", "other-clarify"];
  const run = () => ({ columns: [{ name: "n" }], rows: [[1]] });
  const asks = copies.map(({ copy, engine }) => copy.createAsk({ engine, host: { run }, today: () => "${TODAY}" }));
  asks.forEach((ask, index) => {
    const element = document.createElement(tags[index]);
    element.ask = ask;
    document.body.append(element);
  });
  await Promise.all(asks.map((ask) => ask.ask("recent books")));

  const thrown = (call) => { try { call(); return "nothing"; } catch (error) { return error; } };
  const [own] = copies.map(({ copy, engine }) => copy.Session.create(engine));
  own.step({ type: "ask", text: "how many books", today: "${TODAY}" });
  const foreign = thrown(() => other.Session.create(copies[0].engine));
  const moved = other.Session.restore(copies[1].engine, own.snapshot());
  window.result = {
    distinct: one.Engine !== other.Engine,
    foreign: [foreign instanceof other.WhereforeError, foreign instanceof one.WhereforeError, foreign.code],
    moved: moved.view().sql === own.view().sql,
    waiting: asks.map((ask) => ask.state.status),
  };
  window.asks = asks;
  copies[0].engine.free();
  window.survives = copies[1].engine.preview("how many books", "${TODAY}").sql;`;

test("two versions on one page work side by side", async () => {
  const folder = join(app, "other/wherefore");
  cpSync(installed, folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, version: "0.0.1" }));

  const extra = {
    "/": `<!doctype html><meta charset="utf-8"><body></body><script type="module" src="/page.js"></script>`,
    "/page.js": SCRIPT,
    "/knowledge.json": JSON.stringify(bookshop()),
  };
  const server = await serveApp({ extra });
  const browser = await chromium.launch({ executablePath: required("WHEREFORE_CHROMIUM"), args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(server.url);
    await page.waitForFunction(() => "survives" in window).catch(() => assert.deepEqual(faults, []));
    assert.deepEqual(await page.evaluate(() => window.result), {
      distinct: true,
      foreign: [true, false, "invalid_argument"],
      moved: true,
      waiting: ["waiting", "waiting"],
    });
    assert.match(await page.evaluate(() => window.survives), /count\(/);
    // A choice in the cards of one copy leaves the other waiting.
    await page.locator("other-clarify").getByRole("radio").first().click();
    await page.waitForFunction(() => window.asks[1].state.status === "done");
    assert.equal(await page.evaluate(() => window.asks[0].state.status), "waiting");
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
    server.stop();
  }
});
