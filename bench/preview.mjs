// Measures the latency of previews in Chromium, on the catalog of the sample database.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readKnowledge } from "./knowledge.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, "../tests/browser/package.json"))("@playwright/test");
const { WHEREFORE_CHROMIUM, WHEREFORE_FIGURES, WHEREFORE_PACKAGE } = process.env;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

function serve(knowledge) {
  const files = {
    "/": join(here, "preview.html"),
    "/preview-page.mjs": join(here, "preview-page.mjs"),
  };
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      // In a cross-origin isolated page, the clock has a resolution of 5 µs instead of 100 µs.
      response.setHeader("cross-origin-opener-policy", "same-origin");
      response.setHeader("cross-origin-embedder-policy", "require-corp");
      const path = new URL(request.url, "http://127.0.0.1").pathname;
      if (path === "/knowledge.json") {
        response.writeHead(200, { "content-type": "application/json" }).end(knowledge);
        return;
      }
      const file = path.startsWith("/package/")
        ? join(WHEREFORE_PACKAGE, path.slice("/package/".length))
        : files[path];
      if (!file || !existsSync(file)) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
    });
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

const server = await serve(await readKnowledge());
const browser = await chromium.launch({
  executablePath: WHEREFORE_CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.error(error.message));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => window.figures, undefined, { timeout: 180_000 });
  const figures = await page.evaluate(() => window.figures);
  writeFileSync(WHEREFORE_FIGURES, JSON.stringify(figures));
  console.log(`${figures.previews.length} previews and ${figures.index_builds.length} builds measured in Chromium ${browser.version()}`);
} finally {
  await browser.close();
  server.close();
}
