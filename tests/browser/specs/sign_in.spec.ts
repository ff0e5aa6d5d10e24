import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, expectAccessible, test } from "../support/test";

test("a key signs in, and nothing opens before", async ({ page, start }) => {
  const proxy = await start(0, ["--auth", "keys"]);
  await page.goto(proxy.url);
  await expect(page).toHaveURL(`${proxy.url}/sign-in`);
  await expectAccessible(page);
  await page.getByLabel("Key").fill("not a key");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText("This API key is not valid.");
  await page.getByLabel("Key").fill(proxy.addKey("ann"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${proxy.url}/`);
  const status = () => page.evaluate(async () => (await fetch("/api/v1/catalog")).status);
  expect(await status()).toBe(200);
  expect(await page.evaluate(() => document.cookie)).toBe("");
  await page.evaluate(() => fetch("/sign-out", { method: "POST" }));
  expect(await status()).toBe(401);
});

test("forms of another site change nothing", async ({ page, start }) => {
  const proxy = await start(0, ["--auth", "keys"]);
  const key = proxy.addKey("ann");
  const form = (action: string, content: string) =>
    `<form method="post" action="${proxy.url}${action}">${content}<button>go</button></form>`;
  const pages: Record<string, string> = {
    "/out": form("/sign-out", ""),
    "/in": form("/sign-in", `<input name="key" value="${key}">`),
    "/ask": form("/api/v1/query", `<input name="question" value="how many orders">`),
  };
  const other = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(pages[request.url ?? ""] ?? "");
  });
  await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
  try {
    await page.goto(`${proxy.url}/sign-in`);
    await page.getByLabel("Key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(`${proxy.url}/`);
    for (const path of Object.keys(pages)) {
      await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}${path}`);
      const answer = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "go" }).click();
      expect((await answer).status(), path).toBe(403);
    }
    await page.goto(proxy.url);
    await expect(page, "still signed in").toHaveURL(`${proxy.url}/`);
  } finally {
    other.close();
  }
});
