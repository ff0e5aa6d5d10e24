// Without a network, and with a new version: the service worker, from a server that is stopped and replaced.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { expect, open, required, serve, sqlOf, type } from "./support.mjs";

const ready = (page) => expect(page.locator("[data-offline=ready]")).toBeVisible({ timeout: 20_000 });

test("once loaded, every page works with the network off", async () => {
  const host = await serve(required("WHEREFORE_WWW"));
  const { context, page, faults, close } = await open("", { url: host.url, serviceWorkers: "allow" });
  await ready(page);
  await host.stop();
  await context.setOffline(true);
  await page.reload();
  await page.getByRole("textbox", { name: "Or paste a schema" }).fill("CREATE TABLE boats (id integer PRIMARY KEY, name text);");
  await page.getByRole("button", { name: "Read the schema" }).click();
  await type(page, "how many boats");
  await expect(sqlOf(page)).toContainText("count(*)");
  await page.getByRole("tab", { name: "SQL Server" }).click();
  await expect(sqlOf(page)).toContainText("count");
  for (const path of ["plain/", "react/", "element/"]) {
    await page.goto(host.url + path);
    await expect(page.locator("pre.sql")).toContainText("FROM orders");
  }
  assert.deepEqual(faults, []);
  await close();
});

/** A copy of the build that says another version, with its service worker: as after a second build. */
function nextVersion() {
  const folder = mkdtempSync(join(tmpdir(), "wherefore-www-"));
  cpSync(required("WHEREFORE_WWW"), folder, { recursive: true });
  const page = join(folder, "index.html");
  const html = readFileSync(page, "utf8");
  writeFileSync(page, html.replace("Wherefore: offline preview", "Wherefore: next version"));
  const worker = join(folder, "sw.js");
  const script = readFileSync(worker, "utf8");
  const changed = script.replace(/(url:[`"]index\.html[`"],revision:[`"])\w+/, "$1next");
  assert.notEqual(changed, script);
  writeFileSync(worker, changed);
  assert.ok(readdirSync(folder).includes("sw.js"));
  return folder;
}

const FORBIDDEN = () => {
  Object.defineProperty(window, "localStorage", {
    get() {
      throw new DOMException("denied", "SecurityError");
    },
  });
};

test("a new version asks before it takes over, and what was typed stays", async () => {
  await updateWhileOpen(undefined);
});

test("without storage, what was typed stays over an update, too", async () => {
  await updateWhileOpen(FORBIDDEN);
});

async function updateWhileOpen(script) {
  const host = await serve(required("WHEREFORE_WWW"));
  const { page, close } = await open("", { url: host.url, serviceWorkers: "allow", script });
  await ready(page);
  const folder = nextVersion();
  host.folder = folder;
  await page.reload();
  await expect(page).toHaveTitle("Wherefore: offline preview");
  await page.getByRole("button", { name: "Try a shop" }).click();
  await expect(page.getByText("A new version is ready.").first()).toBeVisible({ timeout: 20_000 });
  await type(page, "best customers in Bonn");
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page).toHaveTitle("Wherefore: next version");
  await expect(page.getByRole("textbox", { name: "Question", exact: true })).toHaveValue("best customers in Bonn");
  await close();
  await host.stop();
  rmSync(folder, { recursive: true });
}
