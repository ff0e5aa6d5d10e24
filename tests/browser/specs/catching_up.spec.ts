import type { Page } from "@playwright/test";
import { ChatPage } from "../pages/chat-page";
import { SidePanel } from "../pages/side-panel";
import { expect, test } from "../support/test";

/** Longest time until the page fetches the catalog again for the first time. */
const FIRST_RENEWAL = 6_000;
const UNREAD = "The values of 3 tables are not listed yet. Questions search for them in the database.";

/** Serves the catalog without any values until the returned function is called; counts the requests for it. */
async function serveWithoutValues(page: Page): Promise<{ read: () => void; requests: () => number }> {
  let isRead = false;
  let requests = 0;
  await page.route("**/api/v1/catalog?*", async (route) => {
    requests += 1;
    const response = await route.fetch();
    if (isRead) return route.fulfill({ response });
    const knowledge = await response.json();
    knowledge.catalog.unread_tables = 3;
    for (const table of knowledge.catalog.tables) for (const column of table.columns) column.values = null;
    await route.fulfill({ response, json: knowledge });
  });
  return { read: () => (isRead = true), requests: () => requests };
}

// Promise: history.values-follow
test("values that the server reads later are known without a reload", async ({ page, server }) => {
  const catalog = await serveWithoutValues(page);
  await page.clock.install();
  const chat = new ChatPage(page);
  await chat.open(server.url);
  const panel = new SidePanel(page);
  await panel.open("Data");
  await expect(panel.content.getByText(UNREAD)).toBeVisible();
  await chat.question.fill("customers in Germany");
  const value = chat.preview.getByText("countries.name = Germany");
  await expect(page.locator(".composer-mirror .mark-table")).toHaveText("customers");
  await expect(value).toHaveCount(0);

  catalog.read();
  await page.clock.runFor(FIRST_RENEWAL);
  await expect(panel.content.getByText(UNREAD)).toHaveCount(0);
  // What was typed is kept, and the next letter is read with the values.
  await expect(chat.question).toHaveValue("customers in Germany");
  await chat.question.press("End");
  await chat.question.pressSequentially(" ");
  await expect(value).toBeVisible();

  // A complete catalog is not fetched again.
  const requests = catalog.requests();
  await page.clock.runFor(10 * FIRST_RENEWAL);
  expect(catalog.requests()).toBe(requests);
});

test("a catalog that cannot be fetched again is fetched later", async ({ page, server }) => {
  const catalog = await serveWithoutValues(page);
  await page.clock.install();
  const chat = new ChatPage(page);
  await chat.open(server.url);
  const panel = new SidePanel(page);
  await panel.open("Data");
  await expect(panel.content.getByText(UNREAD)).toBeVisible();

  let refused = 0;
  await page.route("**/api/v1/catalog?*", async (route) => {
    refused += 1;
    await route.abort();
  });
  await page.clock.runFor(FIRST_RENEWAL);
  await expect.poll(() => refused).toBe(1);
  await expect(panel.content.getByText(UNREAD)).toBeVisible();
  await page.unroute("**/api/v1/catalog?*");
  const served = await serveWithoutValues(page);
  served.read();
  await page.clock.runFor(2 * FIRST_RENEWAL);
  await expect(panel.content.getByText(UNREAD)).toHaveCount(0);
  expect(catalog.requests()).toBe(1);
});
