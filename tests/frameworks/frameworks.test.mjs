// The packed package in apps of frameworks and in other runtimes, installed from npm, built and used as their users would.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

const required = (name) => process.env[name] ?? assert.fail(`${name} is not set: run \`cargo xtask test --suite frameworks\``);
const { chromium } = createRequire(required("WHEREFORE_PLAYWRIGHT"))("@playwright/test");
const apps = required("WHEREFORE_APPS");
const readme = readFileSync(join(required("WHEREFORE_PACKAGE"), "README.md"), "utf8");
const [, catalog] = /^```js src\/catalog\.js\n(.*?)^```/ms.exec(readme);

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: required("WHEREFORE_CHROMIUM"), args: ["--no-sandbox", "--disable-gpu"] });
});
after(() => browser?.close());

/** Makes an app with the README's catalog, and installs what it needs and the tarball. */
function install(name, sources) {
  const app = join(apps, name);
  rmSync(app, { recursive: true, force: true });
  mkdirSync(apps, { recursive: true });
  cpSync(join(import.meta.dirname, name), app, { recursive: true });
  if (name !== "runtimes") cpSync(join(import.meta.dirname, "ask.jsx"), join(app, sources, "ask.jsx"));
  writeFileSync(join(app, sources, "catalog.js"), catalog);
  const options = { cwd: app, stdio: ["ignore", "ignore", "inherit"] };
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock", required("WHEREFORE_TARBALL")], options);
  return app;
}

const tool = (app, name) => join(app, "node_modules/.bin", name);
const quiet = (app) => ({ cwd: app, stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } });

/** Starts a server in a process group of its own and returns its address, as it prints it. */
async function serve(app, program, ...options) {
  const child = spawn(tool(app, program), options, { ...quiet(app), stdio: ["ignore", "pipe", "inherit"], detached: true });
  for await (const line of createInterface({ input: child.stdout })) {
    // Vite colours the port.
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line.replaceAll(/\x1b\[\d+m/g, ""));
    if (address) return { url: address[0], stop: () => process.kill(-child.pid) };
  }
  throw new Error(`${program} ended before it served`);
}

/** Asks in a page, answers the question that comes back, and checks the rows. */
async function use({ url, stop }) {
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  try {
    await page.goto(url);
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByRole("radio").first().click();
    await page.locator("output", { hasText: "[[3]]" }).waitFor();
    assert.deepEqual(faults, []);
    return await page.locator("#preview").allTextContents();
  } finally {
    await page.close();
    stop();
  }
}

test("Vite and React, as developed and as built", async () => {
  const app = install("vite-react", "src");
  const address = ["--host", "127.0.0.1", "--port", "0"];
  await use(await serve(app, "vite", ...address));
  execFileSync(tool(app, "vite"), ["build"], quiet(app));
  await use(await serve(app, "vite", "preview", ...address));
});

test("Next: the engine on the server, the store and the element in the browser", async () => {
  const app = install("next", "app");
  execFileSync(tool(app, "next"), ["build"], quiet(app));
  const [sql] = await use(await serve(app, "next", "start", "--hostname", "127.0.0.1", "--port", "0"));
  assert.match(sql, /count\(\*\)/);
});

test("Bun and Deno run every entry", () => {
  const app = install("runtimes", ".");
  for (const [runtime, ...options] of [["bun"], ["deno", "run", "--allow-read"]]) {
    const output = execFileSync(tool(app, runtime), [...options, "run.js"], { cwd: app, encoding: "utf8" });
    assert.equal(output.trim(), '["answered",[[3]],"unknown-column"]', runtime);
  }
});
