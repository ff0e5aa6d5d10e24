// What the tests of the static pages share: a static server, a browser, and a page whose requests are recorded.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before } from "node:test";

/** Value of a required environment variable. */
export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests by \`cargo xtask test --only www\``);
  return value;
}

const fromBrowserTests = createRequire(required("WHEREFORE_PLAYWRIGHT"));
export const { chromium, expect } = fromBrowserTests("@playwright/test");
export const { AxeBuilder } = fromBrowserTests("@axe-core/playwright");

/** Imports an ES module of the pages' dependencies. */
export async function dependency(file) {
  return import(pathToFileURL(join(required("WHEREFORE_WWW_PACKAGES"), file)));
}

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** Serves a folder as a static host does; `folder` can be replaced while it runs, and `stop` makes it unreachable. */
export async function serve(folder) {
  const host = { folder };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://127.0.0.1");
    const file = resolve(host.folder, `.${pathname.endsWith("/") ? `${pathname}index.html` : pathname}`);
    try {
      const body = readFileSync(file);
      const type = TYPES[extname(file)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "cache-control": "no-cache" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  host.url = `http://127.0.0.1:${server.address().port}/`;
  host.stop = () =>
    new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
  return host;
}

let browser;
let host;
before(async () => {
  host = await serve(required("WHEREFORE_WWW"));
  browser = await chromium.launch({
    executablePath: required("WHEREFORE_CHROMIUM"),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});
after(async () => {
  await browser?.close();
  await host?.stop();
});

/** Address of the built pages. */
export const address = () => host.url;

/**
 * Opens a page in a context of its own. `faults` collects errors and violations of the content security policy,
 * `requests` the addresses that were requested.
 */
export async function open(path = "", { context: options = {}, script, url = host.url, serviceWorkers = "block" } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers, ...options });
  if (script) await context.addInitScript(script);
  const page = await context.newPage();
  const faults = [];
  const requests = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text());
  });
  context.on("request", (request) => requests.push(request.url()));
  await page.goto(url + path);
  return { context, page, faults, requests, close: () => context.close() };
}

/** A page with the built-in sample. */
export async function openSample(options) {
  const opened = await open("", options);
  await opened.page.getByRole("button", { name: "Try a shop" }).click();
  return opened;
}

/** Types a question, without asking it. */
export async function type(page, question) {
  await page.getByRole("textbox", { name: "Question", exact: true }).fill(question);
}

/** The statement that is shown. */
export const sqlOf = (page) => page.getByRole("tabpanel").locator("pre");

/** Opens files as if they were chosen. */
export async function openFiles(page, ...files) {
  const payload = files.map(({ name, content }) => ({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(content),
  }));
  await page.getByLabel("Files to open").setInputFiles(payload);
}
