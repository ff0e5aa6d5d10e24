import { writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { ChatPage, type Turn } from "../pages/chat-page";
import { SidePanel } from "../pages/side-panel";
import { smallPng } from "../support/small-png";
import { expect, test } from "../support/test";

/** Output folder of the pictures of the README; without it, none are taken. */
const folder = process.env.WHEREFORE_PICTURES;
/** Maximum size of a picture in bytes. */
const LARGEST = 120_000;
const WIDE = { width: 1120, height: 720 };
const NARROW = { width: 360, height: 740 };

async function picture(page: Page, name: string): Promise<void> {
  // No cursor, and no row under the pointer.
  await page.mouse.move(0, 0);
  const taken = smallPng(await page.screenshot({ caret: "hide", animations: "disabled" }));
  expect(taken.length).toBeLessThan(LARGEST);
  await writeFile(`${folder}/${name}.png`, taken);
}

async function answered(turn: Turn): Promise<void> {
  await expect(turn.element.getByText("Answered")).toBeVisible();
}

test.describe("pictures of the README", () => {
  test.skip(!folder, "WHEREFORE_PICTURES names no folder");

  test("light", async ({ page, server }) => {
    await page.setViewportSize(WIDE);
    const chat = new ChatPage(page);
    await chat.open(server.url);
    await chat.question.fill("number of big recent orders per customer");
    await expect(chat.preview.locator(".chip-asks")).toHaveCount(2);
    await picture(page, "typing");
    const asked = await chat.ask("show me recent orders");
    await expect(asked.continue).toBeVisible();
    await picture(page, "asking");
    await answered(await chat.ask("revenue by month"));
    await expect(page.getByRole("figure")).toBeVisible();
    await picture(page, "chart");
  });

  test("follow-up", async ({ page, server }) => {
    await page.setViewportSize(WIDE);
    const chat = new ChatPage(page);
    await chat.open(server.url);
    await answered(await chat.ask("top 5 products by revenue"));
    await answered(await chat.ask("and last year"));
    const side = new SidePanel(page);
    await side.open("Data");
    await page.getByRole("searchbox", { name: "Search tables and columns" }).fill("invoice");
    await side.content.getByText("invoice_lines", { exact: true }).first().click();
    await picture(page, "follow-up");
  });

  test("dark", async ({ page, server }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize(WIDE);
    const chat = new ChatPage(page);
    await chat.open(server.url);
    const turn = await chat.ask("number of open orders per customer");
    await turn.sql();
    const steps = turn.element.getByRole("list", { name: "What this SQL does" });
    await turn.element.getByText("SQL", { exact: true }).evaluate((summary) => summary.scrollIntoView());
    await steps.getByRole("button").filter({ hasText: /^Keep only/ }).first().focus();
    await picture(page, "sql");
  });

  test("narrow", async ({ page, server }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize(NARROW);
    const chat = new ChatPage(page);
    await chat.open(server.url);
    await answered(await chat.ask("how many orders per status"));
    await picture(page, "narrow");
  });
});
