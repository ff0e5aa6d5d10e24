// Time from opening a CSV file of a million rows in the offline preview to the first answer, in Chromium.
//
//   cargo xtask www && node bench/www-million.mjs
import { createServer } from "node:http";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";

const ROWS = 1_000_000;
const ROUNDS = 5;
const root = resolve(import.meta.dirname, "..");
const { chromium } = createRequire(join(root, "tests/browser/package.json"))("@playwright/test");
const pages = resolve(process.argv[2] ?? join(root, "target/www"));

async function writeOrders(path) {
  const cities = ["Bonn", "Lyon", "Turin", "Graz", "Ghent", "Porto", "Malmö"];
  const states = ["open", "paid", "shipped", "returned"];
  const file = createWriteStream(path);
  file.write("id,customer,city,ordered_on,status,amount\n");
  for (let row = 1; row <= ROWS; row++) {
    const day = `2026-${String(1 + (row % 12)).padStart(2, "0")}-${String(1 + (row % 28)).padStart(2, "0")}`;
    const cells = [row, `Customer ${row % 50_000}`, cities[row % 7], day, states[row % 4], ((row * 37) % 100_000) / 100];
    if (!file.write(`${cells.join(",")}\n`)) await new Promise((done) => file.once("drain", done));
  }
  await new Promise((done) => file.end(done));
}

const TYPES = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://127.0.0.1");
  try {
    const file = join(pages, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" }).end(readFileSync(file));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const folder = mkdtempSync(join(tmpdir(), "wherefore-million-"));
const path = join(folder, "orders.csv");
await writeOrders(path);
const browser = await chromium.launch({
  executablePath: process.env.WHEREFORE_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const opened = [];
const answered = [];
for (let round = 0; round < ROUNDS; round++) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.getByRole("button", { name: "Try a shop" }).waitFor();
  const start = performance.now();
  await page.getByLabel("Files to open").setInputFiles(path);
  await page.getByRole("textbox", { name: "Question", exact: true }).fill("total amount per city", { timeout: 60_000 });
  opened.push(performance.now() - start);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("cell", { name: "Bonn" }).waitFor();
  answered.push(performance.now() - start);
  await page.close();
}
await browser.close();
server.close();
rmSync(folder, { recursive: true });

const seconds = (times) => {
  const [least, , middle, , most] = times.toSorted((left, right) => left - right).map((time) => (time / 1000).toFixed(2));
  return `median ${middle} s (${least} to ${most})`;
};
console.log(`open:         ${seconds(opened)}`);
console.log(`first answer: ${seconds(answered)}`);
