// Links and files: what is shared arrives whole, and what cannot be read says so.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { address, expect, open, openSample, required, sqlOf, type } from "./support.mjs";

async function linkOf(page) {
  await page.getByRole("button", { name: "Share by link" }).click();
  return page.getByLabel(/^Link:/).inputValue();
}

test("a link contains schema, dictionary, settings and question", async () => {
  const first = await openSample();
  await type(first.page, "list the consignments");
  const dictionary = first.page.getByRole("region", { name: "Dictionary" });
  await dictionary.getByText("returns", { exact: true }).click();
  await dictionary.getByLabel("Also called (returns)").fill("consignments");
  await first.page.getByLabel("Rounds").fill("1");
  await expect(sqlOf(first.page)).toContainText("FROM returns");
  const link = await linkOf(first.page);
  await first.close();

  const second = await open(link.slice(address().length));
  await expect(second.page.getByRole("textbox", { name: "Question", exact: true })).toHaveValue("list the consignments");
  await expect(sqlOf(second.page)).toContainText("FROM returns");
  await expect(second.page.getByLabel("Rounds")).toHaveValue("1");
  const fragment = link.slice(link.indexOf("#s1=") + 4);
  assert.ok(!second.requests.some((request) => request.includes(fragment)), "no request contains what is shared");
  await second.close();
});

test("a link does not replace what was there before", async () => {
  const { page, close } = await openSample();
  await type(page, "best customers");
  const link = await linkOf(page);
  await type(page, "how many orders");
  await page.evaluate((fragment) => (location.hash = fragment), link.slice(link.indexOf("#")));
  const field = page.getByRole("textbox", { name: "Question", exact: true });
  await expect(field).toHaveValue("best customers");
  await page.getByRole("button", { name: "Return to it" }).click();
  await expect(field).toHaveValue("how many orders");
  await close();
});

for (const [name, fragment] of [
  ["cut off", "#s1=q1YqSy0qzszPU7JSKkktLlHSUSoG"],
  ["of no text", "#s1=%%%"],
  ["of a later version", "#s9=AAAA"],
]) {
  test(`a link that is ${name} says so`, async () => {
    const { page, faults, close } = await open(fragment);
    await expect(page.getByText("This link cannot be read")).toBeVisible();
    await expect(page.getByRole("button", { name: "Try a shop" })).toBeVisible();
    assert.deepEqual(faults, []);
    await close();
  });
}

async function save(page, button, folder) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

test("the proxy reads the saved catalog and the saved pack", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wherefore-www-"));
  const { page, close } = await openSample();
  const dictionary = page.getByRole("region", { name: "Dictionary" });
  await dictionary.getByText("returns", { exact: true }).click();
  await dictionary.getByLabel("Also called (returns)").fill("consignments, send-backs");
  await expect(page.getByRole("region", { name: "Effect of your changes" })).toBeVisible();
  const [catalog, pack] = [await save(page, "Save catalog", folder), await save(page, "Save as pack", folder)];
  await close();
  const output = join(folder, "merged.json");
  const { status, stdout, stderr } = spawnSync(
    required("WHEREFORE_PROXY"),
    ["catalog", "export", "--catalog", catalog, "--pack", pack, "--output", output],
    { encoding: "utf8", cwd: folder },
  );
  assert.equal(status, 0, stdout + stderr);
  const merged = JSON.parse(readFileSync(output, "utf8"));
  const returns = (merged.catalog ?? merged).tables.find((table) => table.name === "returns");
  assert.deepEqual([...new Set(returns.synonyms)], ["consignments", "send-backs"]);
  rmSync(folder, { recursive: true });
});
