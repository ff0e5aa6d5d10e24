// Measures the page's release in Chromium, as its users feel it, on the proxy with the sample and with a large catalog.
//
// Frames begin as soon as there is something to paint: the wait for the display's next refresh is no work of the page.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { largeCatalog } from "./catalog.mjs";

const { chromium } = createRequire(join(import.meta.dirname, "../tests/browser/package.json"))("@playwright/test");
const { WHEREFORE_CHROMIUM, WHEREFORE_DATABASE, WHEREFORE_DIST, WHEREFORE_FIGURES, WHEREFORE_PACK, WHEREFORE_PROXY } =
  process.env;

const ROUNDS = 3;
/** Processor of a phone, relative to this machine. */
const SLOWED = 4;
/** Milliseconds between keystrokes. */
const PACE = 120;
const SAMPLE_QUESTIONS = [
  "number of big recent orders per customer",
  "revenue by month compared with last year",
  "top 5 products by revenue in Germany",
];
const LARGE_QUESTIONS = [
  "average salary of museum staff by city",
  "number of aircraft orders per month in 2025",
  "top 5 clinics by total invoice amount",
];
const CLICKS = 15;
const CHARTS = 10;
const LOADS = 7;
const ROWS = 100_000;
const COLUMNS = 20;
const FRAMES = 200;
/** Bytes per second, and milliseconds of a round trip, of a fast phone's network. */
const NETWORK = { offline: false, downloadThroughput: 9e6 / 8, uploadThroughput: 1.5e6 / 8, latency: 60 };

/** Runs in each page: the time from an event, or from a call, to the end of the next frame. */
function timers() {
  window.times = [];
  window.afterPaint = (run) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => run(performance.now());
      channel.port2.postMessage(null);
    });
  let pressed = 0;
  window.addEventListener("keydown", (event) => (pressed = event.timeStamp), true);
  window.addEventListener("input", () => {
    const start = pressed;
    window.afterPaint((end) => window.times.push(end - start));
  }, true);
  window.addEventListener("click", (event) => {
    const start = event.timeStamp;
    window.afterPaint((end) => (window.clicked = end - start));
  }, true);
}

const folder = mkdtempSync(join(tmpdir(), "wherefore-bench-web-"));
const children = [];

/** Starts a proxy with the page, and returns its address. */
async function serve(name, options) {
  const common = ["--static", WHEREFORE_DIST, "--listen", "127.0.0.1:0", "--store", join(folder, `${name}.sqlite`)];
  const env = { ...process.env, RUST_LOG: "warn" };
  // The proxy would take these as options.
  for (const option of ["WHEREFORE_DATABASE", "WHEREFORE_PACK"]) delete env[option];
  const proxy = spawn(WHEREFORE_PROXY, [...options, ...common], { env, stdio: ["ignore", "pipe", "inherit"] });
  children.push(proxy);
  for await (const line of createInterface({ input: proxy.stdout })) {
    const address = /^listening on (\S+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error("the proxy ended before it listened");
}

const loaded = (page) => page.locator('[aria-busy="false"]').first().waitFor({ timeout: 120_000 });

/** A page of its own profile, with the timers and the processor slowed. */
async function open(browser, address, { slowed = 1, wait = true } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error(error.message));
  await page.addInitScript(timers);
  const control = await context.newCDPSession(page);
  if (wait) {
    await page.goto(address);
    await loaded(page);
  }
  await control.send("Emulation.setCPUThrottlingRate", { rate: slowed });
  return { page, control, close: () => context.close() };
}

const field = (page) => page.locator("#composer-text");

async function ask(page, question) {
  await field(page).fill(question);
  await field(page).press("Enter");
  return page.getByRole("article").last();
}

/** From each keystroke to the frame with its preview. */
async function keystrokes(browser, address, questions) {
  const { page, close } = await open(browser, address, { slowed: SLOWED });
  await field(page).focus();
  // The first words warm up the compiler of the browser.
  for (const question of ["how many", ...questions]) {
    if (question === questions[0]) await page.evaluate(() => (window.times = []));
    await page.keyboard.type(question, { delay: PACE });
    await page.waitForTimeout(PACE * 3);
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.waitForTimeout(PACE);
  }
  const times = await page.evaluate(() => window.times);
  await close();
  return times;
}

/** From the click on an option to the frame with the next state. */
async function clicks(browser, address) {
  const times = [];
  for (let click = 0; click < CLICKS; click += 1) {
    // A user who has chosen several times is not asked again.
    const { page, close } = await open(browser, address);
    const turn = await ask(page, "show me recent orders");
    await turn.getByRole("radio", { name: /30 days/ }).click();
    await turn.getByRole("radio").first().waitFor({ state: "detached" });
    times.push(await page.evaluate(() => window.clicked));
    await turn.getByText("Answered").waitFor();
    await close();
  }
  return times;
}

/** Script, style, layout and paint of each frame while a large result scrolls. */
async function scrolling(browser, address) {
  const { page, close } = await open(browser, address);
  const columns = Array.from({ length: COLUMNS }, (_, index) => ({ name: `column_${index}`, data_type: index % 2 ? "integer" : "text" }));
  const rows = Array.from({ length: ROWS }, (_, row) => columns.map((_, index) => (index % 2 ? row * index : `row ${row}`)));
  await page.route("**/api/v1/sql/execute", async (route) => {
    const reply = await (await route.fetch()).json();
    await route.fulfill({ json: { ...reply, columns, rows, truncated: false } });
  });
  const turn = await ask(page, "list customers");
  await turn.getByText("100,000 rows", { exact: true }).waitFor({ timeout: 60_000 });
  const region = await turn.getByRole("group", { name: /^Result table/ }).elementHandle();
  await region.scrollIntoViewIfNeeded();
  const times = await page.evaluate(async ([region, frames]) => {
    const found = [];
    for (let frame = 0; frame < frames; frame += 1) {
      // Mostly a turn of the wheel, and sometimes the bar is drawn.
      const start = performance.now();
      region.scrollTop = frame % 20 === 19 ? (region.scrollHeight * ((frame * 7) % 100)) / 100 : region.scrollTop + 300;
      found.push(await new Promise((resolve) => window.afterPaint((end) => resolve(end - start))));
    }
    return found;
  }, [region, FRAMES]);
  await close();
  return times;
}

/** From the end of the rows' response to the frame with the line. */
async function charts(browser, address) {
  const { page, close } = await open(browser, address);
  const times = [];
  for (let chart = 0; chart < CHARTS; chart += 1) {
    await page.evaluate(() => {
      performance.clearResourceTimings();
      const before = document.querySelectorAll("figure svg").length;
      window.drawn = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelectorAll("figure svg").length === before) return;
          observer.disconnect();
          window.afterPaint((end) => {
            const rows = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/sql/execute"));
            resolve(end - rows.at(-1).responseEnd);
          });
        });
        observer.observe(document.body, { childList: true, subtree: true });
      });
    });
    await ask(page, "revenue by month");
    times.push(await page.evaluate(() => window.drawn));
  }
  await close();
  return times;
}

/** From the request of the page to the frame in which a question can be typed, and until it is understood. */
async function loads(browser, address) {
  const usable = [];
  const understood = [];
  for (let load = 0; load < LOADS; load += 1) {
    const { page, control, close } = await open(browser, address, { slowed: SLOWED, wait: false });
    await control.send("Network.enable");
    await control.send("Network.emulateNetworkConditions", NETWORK);
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        const field = document.getElementById("composer-text");
        if (field && !window.usable) {
          window.usable = -1;
          window.afterPaint((end) => (window.usable = end));
        }
        if (document.querySelector('[aria-busy="false"]')) {
          observer.disconnect();
          window.afterPaint((end) => (window.understood = end));
        }
      });
      observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-busy"] });
    });
    await page.goto(address);
    await page.waitForFunction(() => window.understood > 0, undefined, { timeout: 120_000 });
    usable.push(await page.evaluate(() => window.usable));
    understood.push(await page.evaluate(() => window.understood));
    await close();
  }
  return { usable, understood };
}

let browser;
try {
  const tables = join(folder, "large.sql");
  writeFileSync(tables, largeCatalog());
  const sample = await serve("sample", ["--database", WHEREFORE_DATABASE, "--pack", WHEREFORE_PACK]);
  const large = await serve("large", ["--catalog", tables]);
  browser = await chromium.launch({
    executablePath: WHEREFORE_CHROMIUM,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-gpu-vsync", "--disable-frame-rate-limit",
    ],
  });
  const rounds = async (measure) => {
    const found = [];
    for (let round = 0; round < ROUNDS; round += 1) found.push(await measure());
    return found;
  };
  const figures = {
    keystrokes: await rounds(() => keystrokes(browser, sample, SAMPLE_QUESTIONS)),
    keystrokes_large: await rounds(() => keystrokes(browser, large, LARGE_QUESTIONS)),
    clicks: await rounds(() => clicks(browser, sample)),
    scrolling: await rounds(() => scrolling(browser, sample)),
    charts: await rounds(() => charts(browser, sample)),
    ...(await loads(browser, sample)),
  };
  writeFileSync(WHEREFORE_FIGURES, JSON.stringify(figures));
  console.log(`${figures.keystrokes.flat().length + figures.keystrokes_large.flat().length} keystrokes measured in Chromium ${browser.version()}`);
} finally {
  await browser?.close();
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true });
}
