// Runs every code block of the package's README: named ones as the files of an app in Chromium, all others in Node.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { app, installed, required, serveApp, startProxy } from "./support.mjs";

const readme = readFileSync(join(installed, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```/gms)].map(([, language, name, code]) => ({ language, name, code }));
const files = Object.fromEntries(blocks.filter(({ name }) => name).map(({ name, code }) => [name, code]));
mkdirSync(join(app, "readme/src"), { recursive: true });
for (const [name, code] of Object.entries(files)) writeFileSync(join(app, "readme", name), code);

test("the README has no block that is not run", () => {
  const kinds = new Set(blocks.filter(({ name }) => !name).map(({ language }) => language));
  assert.deepEqual([...kinds].sort(), ["js", "sh"]);
  assert.deepEqual(Object.keys(files).sort(), ["index.html", "src/catalog.js", "src/main.js", "src/theme.css", "vite.config.js"]);
});

test("each script runs in Node", async () => {
  const catalog = pathToFileURL(join(app, "readme/src/catalog.js")).href;
  const proxy = await startProxy();
  try {
    for (const { code } of blocks.filter(({ language, name }) => language === "js" && !name)) {
      const imports = [...code.matchAll(/^import .*$/gm)].map(([line]) => line);
      const body = code.replace(/^import .*$/gm, "");
      // What the text before a block has introduced.
      const given = `
        import * as given from "wherefore";
        import { catalog } from ${JSON.stringify(catalog)};
        await given.init();
        const engine = given.Engine.create({ catalog });
        const host = { run: async () => ({ columns: [{ name: "n" }], rows: [[1]] }) };
        const [proxyUrl, token] = [${JSON.stringify(proxy.url)}, undefined];
        console.assert = (holds) => { if (!holds) throw new Error("an assertion does not hold"); };`;
      const script = [...imports, given, `{ ${body} }`].join("\n");
      execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: app, stdio: ["ignore", "pipe", "pipe"] });
    }
  } finally {
    proxy.stop();
  }
});

test("the setting for Vite excludes the package", async () => {
  const { default: config } = await import(pathToFileURL(join(app, "readme/vite.config.js")).href);
  assert.deepEqual(config.optimizeDeps.exclude, ["wherefore"]);
});

test("the page asks what is ambiguous and shows the answer", async () => {
  const { chromium } = createRequire(required("WHEREFORE_PLAYWRIGHT"))("@playwright/test");
  const map = `<script type="importmap">{ "imports": {
    "wherefore": "/node_modules/wherefore/dist/index.js", "wherefore/clarify": "/node_modules/wherefore/dist/clarify.js" } }</script>
    <link rel="stylesheet" href="/src/theme.css">`;
  const extra = { "/": files["index.html"].replace("<head>", `<head>${map}`) };
  for (const name of ["src/main.js", "src/catalog.js", "src/theme.css"]) extra[`/${name}`] = files[name];
  const server = await serveApp({ extra });
  const browser = await chromium.launch({ executablePath: required("WHEREFORE_CHROMIUM"), args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(server.url, { waitUntil: "networkidle" });
    await page.getByLabel("Question").fill("recent orders");
    await page.waitForFunction(() => document.querySelector("#sql").textContent.includes("SELECT"));
    await page.getByRole("button", { name: "Ask" }).click();
    await page.locator("legend", { hasText: "recent" }).waitFor();
    const button = page.getByRole("button", { name: "Continue" });
    const look = await button.evaluate((element) => getComputedStyle(element));
    assert.deepEqual([look.backgroundColor, look.textTransform], ["rgb(122, 31, 162)", "uppercase"]);
    await page.getByRole("radio").first().click();
    await page.locator("#rows", { hasText: "at most" }).waitFor();
    assert.match(await page.locator("#sql").textContent(), /ordered_on/);
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
    server.stop();
  }
});
