// `<wherefore-clarify>` of the installed package in Chromium: by itself, with a store, in hostile pages.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, afterEach, before, test } from "node:test";
import { define } from "wherefore/clarify";
import { bookshop, required, serveApp, TODAY } from "./support.mjs";

const require = createRequire(required("WHEREFORE_PLAYWRIGHT"));
const { chromium, expect } = require("@playwright/test");
const { AxeBuilder } = require("@axe-core/playwright");

// Neither styles nor scripts in the page; `wasm-unsafe-eval` is for the engine alone.
const POLICY = "default-src 'none'; connect-src 'self'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const SCRIPT = `
  import { define } from "/node_modules/wherefore/dist/clarify.js";
  window.events = [];
  for (const type of ["answer", "cancel", "error"])
    document.addEventListener(type, ({ detail }) => events.push([type, detail?.code ?? detail]), true);
  window.define = define;
  const early = document.querySelector("[data-early]");
  if (early) early.labels = { submit: "Go on" };
  define();
  window.ready = true;`;
/** A store on the engine, whose statements return one row. */
const STORE = `
  import { createAsk, Engine, init } from "/node_modules/wherefore/dist/index.js";
  await init();
  const engine = Engine.create(await (await fetch("/knowledge.json")).json());
  window.memories = [];
  window.newAsk = () => createAsk({
    engine, today: () => "${TODAY}", onMemory: (memory) => memories.push(memory),
    host: { run: () => ({ columns: [{ name: "n" }], rows: [[3]] }) },
  });`;

const DAYS = {
  id: "days", ambiguity: "time_window", severity: "important", question: "What does “recent” mean?",
  reason: "it can mean several periods", recommended: "30", understood: [], plain_text: "",
  options: [["7", "last 7 days", "from 14 to 20 November"], ["30", "last 30 days", ""], ["90", "last 90 days", ""]]
    .map(([id, label, description]) => ({ id, label, description, binding: { type: "ignore" } })),
  custom: { type: "date_range", column: { table: "orders", column: "ordered_on" } },
};
const AMOUNT = {
  ...DAYS, id: "amount", question: "How large is “large”?", recommended: undefined, options: [],
  custom: { type: "number", column: { table: "orders", column: "amount" }, operator: "greater", unit: "EUR", minimum: 0, maximum: 10 },
};
const MANY = {
  ...DAYS, id: "many", question: "Which city?", recommended: undefined, custom: { type: "text", placeholder: "a city", table: "c" },
  options: Array.from({ length: 9 }, (_, index) => ({ ...DAYS.options[1], id: `o${index}`, label: `Invoice line ${index}` })),
};

let browser, server, page, faults = [];
before(async () => {
  browser = await chromium.launch({ executablePath: required("WHEREFORE_CHROMIUM"), args: ["--no-sandbox", "--disable-gpu"] });
});
after(() => browser?.close());
afterEach(async () => {
  await page?.context().close();
  server?.stop();
  assert.deepEqual(faults, []);
});

/** Opens a page with an element, and returns a locator of it. */
async function open({ body = "<wherefore-clarify></wherefore-clarify>", styles = "", store = false, given = [] } = {}) {
  const scripts = ["/element.js", ...(store ? ["/store.js"] : [])].map((path) => `<script type="module" src="${path}"></script>`);
  const html = `<!doctype html><html lang="en"><title>Test</title><link rel="stylesheet" href="/page.css">
    <body><main>${body}</main>${scripts.join("")}</body>`;
  server = await serveApp({
    extra: { "/": html, "/page.css": styles, "/element.js": SCRIPT, "/store.js": STORE, "/knowledge.json": JSON.stringify(bookshop()) },
    handle: (_request, response) => void response.setHeader("content-security-policy", POLICY),
  });
  page = await (await browser.newContext()).newPage();
  faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && !/favicon/.test(message.location().url) && faults.push(message.text()));
  await page.goto(server.url);
  await page.waitForFunction((store) => window.ready && (!store || window.newAsk), store);
  const element = page.locator("wherefore-clarify").first();
  if (given.length > 0) await element.evaluate((element, given) => { element.clarifications = given; }, given);
  return element;
}

const events = () => page.evaluate(() => window.events);
const answered = (id, answer, remember = []) => ["answer", { answers: [{ clarification_id: id, answer }], remember }];

test("the entry can be imported and called without a DOM", () => {
  define();
  define("another-tag");
});

test("a card preselects nothing, names what it recommends, and a click answers at once", async () => {
  const element = await open({ given: [DAYS] });
  await expect(element.getByRole("group", { name: DAYS.question })).toHaveAccessibleDescription("It can mean several periods.");
  await expect(element.getByRole("group")).toHaveCount(1);
  for (const radio of await element.getByRole("radio").all()) await expect(radio).not.toBeChecked();
  await expect(element.getByText("Recommended")).toHaveCount(1);
  await expect(element.getByRole("radio", { name: "last 7 days" })).toHaveAccessibleDescription("from 14 to 20 November");
  await element.getByText("last 90 days").click();
  assert.deepEqual(await events(), [answered("days", { type: "option", option_id: "90" })]);
});

test("keys choose and do not answer; Enter does", async () => {
  const element = await open({ given: [DAYS] });
  await element.evaluate((element) => element.focus());
  await expect(element.locator("legend").first()).toBeFocused();
  await page.keyboard.press("2");
  await expect(element.getByRole("radio").nth(1)).toBeChecked();
  await page.keyboard.press("ArrowDown");
  await expect(element.getByRole("radio").nth(2)).toBeChecked();
  assert.deepEqual(await events(), []);
  await page.keyboard.press("Enter");
  assert.deepEqual(await events(), [answered("days", { type: "option", option_id: "90" })]);
});

test("days are checked, and an open end is left out", async () => {
  const element = await open({ given: [DAYS] });
  await element.getByLabel("Something else…").check();
  await element.getByRole("button", { name: "Continue" }).click();
  await expect(element.getByText("Enter the first day, the last day, or both.")).toBeVisible();
  await element.getByLabel("From").fill("2026-02-01");
  await element.getByLabel("To (inclusive)").fill("2026-01-01");
  await page.keyboard.press("Enter");
  await expect(element.getByText("The first day is after the last.")).toBeVisible();
  await element.getByLabel("To (inclusive)").fill("");
  await page.keyboard.press("Enter");
  assert.deepEqual(await events(), [answered("days", { type: "date_range", start: "2026-02-01" })]);
});

test("a number keeps to its limits, and digits in its field are digits", async () => {
  const element = await open({ given: [AMOUNT] });
  await element.getByLabel("Enter a value").check();
  const field = element.getByLabel("amount more than");
  for (const [typed, message] of [["x", "Enter a number."], ["-1", "at least 0"], ["11", "at most 10"], ["", "Enter a number."]]) {
    await field.fill(typed);
    await page.keyboard.press("Enter");
    await expect(element.getByText(message)).toBeVisible();
  }
  await field.fill("");
  await field.press("2");
  await element.getByLabel("Remember this").check();
  await element.getByRole("button", { name: "Continue" }).click();
  assert.deepEqual(await events(), [answered("amount", { type: "number", value: 2 }, ["amount"])]);
});

test("many options can be filtered, and a text can be given", async () => {
  const element = await open({ given: [MANY] });
  await element.getByLabel("Filter the options").fill("LINE inv 7");
  await expect(element.getByRole("radio")).toHaveCount(3);
  await element.getByLabel("Something else…").check();
  await element.getByLabel("In your own words").fill("  Bonn ");
  await page.keyboard.press("Enter");
  assert.deepEqual(await events(), [answered("many", { type: "text", text: "Bonn" })]);
});

test("several questions are answered together, and what is missing gets the focus", async () => {
  const element = await open({ given: [DAYS, AMOUNT] });
  await element.getByText("last 7 days").click();
  await element.getByRole("button", { name: "Continue" }).click();
  await expect(element.getByText("Choose one of the options.")).toBeVisible();
  await expect(element.locator("legend").nth(1)).toBeFocused();
  assert.deepEqual(await events(), []);
  await element.getByRole("button", { name: "Choose all for me" }).click();
  const guess = { type: "best_guess" };
  const answers = [{ clarification_id: "days", answer: guess }, { clarification_id: "amount", answer: guess }];
  assert.deepEqual(await events(), [["answer", { answers, remember: [] }]]);
});

test("an answer that is changed is preselected, and can be kept", async () => {
  const element = await open({ given: [DAYS] });
  await element.evaluate((element) => {
    element.chosen = { type: "date_range", start: "2026-01-01" };
    element.cancelable = true;
  });
  await expect(element.getByLabel("Something else…")).toBeChecked();
  await expect(element.getByLabel("From")).toHaveValue("2026-01-01");
  await element.getByRole("button", { name: "Keep as it is" }).click();
  assert.deepEqual(await events(), [["cancel", null]]);
});

test("the attribute takes JSON; what is unreadable is an error and changes nothing", async () => {
  const element = await open();
  await element.evaluate((element, text) => element.setAttribute("clarifications", text), JSON.stringify([DAYS]));
  await expect(element.getByRole("radio")).toHaveCount(5);
  await element.evaluate((element) => {
    element.setAttribute("clarifications", "[");
    for (const garbage of [null, 7, {}, [null], [{ id: 1 }], [{ id: "a", question: "b", reason: "c", options: [{}] }]]) {
      element.clarifications = garbage;
    }
  });
  assert.deepEqual(await events(), Array(7).fill(["error", "invalid_argument"]));
  await expect(element.getByRole("radio")).toHaveCount(5);
});

test("texts of options are never markup", async () => {
  const label = "<img src=x onerror=alert(1)>";
  const element = await open({ given: [{ ...DAYS, question: label, options: [{ ...DAYS.options[0], label }] }] });
  await expect(element.getByRole("radio", { name: label })).toBeVisible();
  await expect(element.locator("img")).toHaveCount(0);
});

test("a move in the page loses nothing", async () => {
  const element = await open({ body: "<wherefore-clarify></wherefore-clarify><div id=other></div>", store: true });
  await element.evaluate(async (element) => {
    element.ask = window.newAsk();
    await element.ask.ask("recent orders");
  });
  await element.getByLabel("Something else…").check();
  await element.getByLabel("From").fill("2026-02-01");
  await element.evaluate((element) => document.querySelector("#other").append(element));
  await expect(element.getByLabel("Something else…")).toBeChecked();
  await expect(element.getByLabel("From")).toHaveValue("2026-02-01");
  await element.getByRole("button", { name: "Continue" }).click();
  await page.waitForFunction(() => document.querySelector("wherefore-clarify").ask.state.status === "done");
  await expect(element.getByRole("radio")).toHaveCount(0);
});

test("a store is answered, remembers, and its refusal is an error", async () => {
  const element = await open({ store: true });
  await element.evaluate(async (element) => {
    element.ask = window.newAsk();
    await element.ask.ask("recent orders");
  });
  await element.getByLabel("Remember this").check();
  await element.getByRole("radio").first().click();
  await page.waitForFunction(() => document.querySelector("wherefore-clarify").ask.state.view.outcome === "answered");
  assert.equal(await page.evaluate(() => window.memories.length), 1);
  const again = await element.evaluate(async (element) => (await element.ask.ask("recent orders")).status);
  assert.equal(again, "done", "the remembered answer is not asked for again");
  await element.evaluate(async (element, given) => {
    await element.ask.reset();
    element.clarifications = given;
  }, [DAYS]);
  await element.getByText("last 7 days").click();
  await expect.poll(async () => (await events()).at(-1)).toEqual(["error", "unexpected_event"]);
});

test("a listener can keep the answer from the store", async () => {
  const element = await open({ store: true });
  await element.evaluate(async (element) => {
    element.addEventListener("answer", (event) => event.preventDefault());
    element.ask = window.newAsk();
    await element.ask.ask("recent orders");
  });
  await element.getByRole("radio").first().click();
  assert.equal((await events()).length, 1);
  assert.equal(await element.evaluate((element) => element.ask.state.status), "waiting");
});

test("properties that were set before the definition are kept, and a tag can be chosen", async () => {
  const element = await open({ body: "<wherefore-clarify data-early></wherefore-clarify>", given: [DAYS] });
  await expect(element.getByRole("button", { name: "Go on" })).toBeVisible();
  await page.evaluate((given) => {
    const other = document.createElement("my-questions");
    other.clarifications = given;
    document.body.append(other);
    window.define("my-questions");
    window.define("my-questions");
  }, [DAYS]);
  await expect(page.locator("my-questions").getByRole("radio")).toHaveCount(5);
});

test("several elements on a page do not share their choices", async () => {
  const body = "<wherefore-clarify></wherefore-clarify><wherefore-clarify></wherefore-clarify>";
  const first = await open({ body });
  await page.evaluate((given) => {
    for (const element of document.querySelectorAll("wherefore-clarify")) element.clarifications = given;
  }, [DAYS, AMOUNT]);
  const second = page.locator("wherefore-clarify").nth(1);
  await first.getByLabel("last 7 days").check();
  await second.getByLabel("last 30 days").check();
  await expect(first.getByLabel("last 7 days")).toBeChecked();
});

test("nothing can be answered while the element is disabled", async () => {
  const element = await open({ given: [DAYS] });
  await element.evaluate((element) => { element.disabled = true; });
  await expect(element.getByRole("button", { name: "Continue" })).toBeDisabled();
  await expect(element.getByRole("radio").first()).toBeDisabled();
});

const look = (element) => element.evaluate((element) => {
  const read = (selector, ...names) => {
    const style = getComputedStyle(element.shadowRoot.querySelector(selector));
    return names.map((name) => style.getPropertyValue(name));
  };
  return [
    read("legend", "color", "font-size", "font-weight", "letter-spacing", "text-transform", "visibility"),
    read(".option", "border-top-width", "border-top-color", "display", "cursor", "line-height"),
    read("button", "background-color", "padding-left", "font-family"),
  ];
});

test("styles of a hostile page do not reach into the element", async () => {
  const plain = await look(await open({ given: [DAYS] }));
  await page.context().close();
  server.stop();
  const styles = `* { color: red !important; font: 40px serif !important; letter-spacing: 1em !important; text-transform: uppercase !important;
    visibility: hidden;  cursor: wait !important; line-height: 4 !important; border: 9px solid lime !important; }
    legend, button, .option, .card { display: none !important; } input { opacity: 0 !important; }`;
  assert.deepEqual(await look(await open({ given: [DAYS], styles })), plain);
});

test("a page sets colours, font and parts", async () => {
  const styles = `wherefore-clarify { --wherefore-accent: rgb(1, 2, 3); --wherefore-font: 20px/1.5 monospace; }
    wherefore-clarify::part(submit) { text-transform: uppercase; }`;
  const element = await open({ given: [DAYS], styles });
  const [legend, , button] = await look(element);
  assert.deepEqual([legend[1], button[0], button[2]], ["21.25px", "rgb(1, 2, 3)", "monospace"]);
  await expect(element.locator("button")).toHaveCSS("text-transform", "uppercase");
});

for (const scheme of ["light", "dark"]) {
  test(`the cards are accessible, ${scheme}, and fit 320 px`, async () => {
    const element = await open({ given: [DAYS, AMOUNT, MANY], styles: "html { color-scheme: light dark } body { margin: 8px; background: light-dark(#f7f7f5, #15171a) }" });
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width: 320, height: 720 });
    await element.getByLabel("Something else…").first().check();
    await element.getByRole("button", { name: "Continue" }).click();
    const { violations } = await new AxeBuilder({ page }).disableRules(["page-has-heading-one", "region"]).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  });
}
