import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ChatPage } from "../pages/chat-page";
import { expect, expectAccessible, test } from "../support/test";

const QUESTION = "what ratio of the orders does each status have";
const ANSWER = {
  sql: "SELECT status, COUNT(*) * 100.0 / (SELECT COUNT(*) FROM orders) AS share FROM orders GROUP BY status",
  explanation: "The share of all orders that each status has, in percent.",
  assumptions: [{ term: "share", value: "<img src=x onerror=alert(1)> of their number", reason: "no amount is named" }],
};

/** A fake model server with a fixed response or error status. */
async function upstream(reply: () => string | number, delayMs = 0): Promise<{ server: Server; options: string[] }> {
  const server = createServer((request, response) => {
    request.resume();
    const said = reply();
    if (typeof said === "number") {
      response.writeHead(said).end();
      return;
    }
    response.setHeader("content-type", "application/json");
    const body = JSON.stringify({ choices: [{ message: { content: said }, finish_reason: "stop" }] });
    setTimeout(() => response.end(body), delayMs);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { server, options: ["--llm-url", address, "--llm-model", "writer"] };
}

test("what a model wrote is marked, says what it took for granted, and is told apart from what is composed", async ({ page, start }) => {
  const { server, options } = await upstream(() => JSON.stringify(ANSWER));
  try {
    const chat = new ChatPage(page);
    await chat.open((await start(0, options)).url);
    const turn = await chat.ask(QUESTION);
    // The explanation is derived from the SQL, not written by the model.
    await expect(turn.heading).toHaveText(
      "Shows number of orders as a percentage of number of all orders, from orders, for each status.",
    );
    await expect(turn.table).toBeVisible();
    const notes = turn.element.getByRole("list", { name: "Notes" });
    await expect(notes).toContainText("A model wrote this query: read it before you rely on it.");
    await expect(notes).toContainText("<img src=x onerror=alert(1)> of their number");
    expect(await turn.sql()).toContain("FROM orders");
    await expectAccessible(page);
    const composed = await chat.ask("how many customers");
    await expect(composed.element.getByText("Answered")).toBeVisible();
    await expect(composed.element.getByText("A model wrote this query")).toHaveCount(0);
  } finally {
    server.close();
  }
});

test("a model that is away is said so, and its return is used", async ({ page, start }) => {
  let away = true;
  const { server, options } = await upstream(() => (away ? 401 : JSON.stringify(ANSWER)));
  try {
    const chat = new ChatPage(page);
    await chat.open((await start(0, options)).url);
    const refused = await chat.ask(QUESTION);
    await expect(refused.heading).toHaveText("No query was written.");
    await expect(refused.element).toContainText("the key is missing or wrong");
    const composed = await chat.ask("how many customers");
    await expect(composed.element.getByText("Answered")).toBeVisible();
    away = false;
    const answered = await chat.ask(QUESTION);
    await expect(answered.table).toBeVisible();
  } finally {
    server.close();
  }
});

// Promise: models.progress
test("what the model and the checks of its drafts do is shown with its times, at once and afterwards", async ({ page, start }) => {
  let asked = 0;
  const wrong = { ...ANSWER, sql: "SELECT phase, COUNT(*) / 2 FROM orders GROUP BY phase" };
  const { server, options } = await upstream(() => JSON.stringify(asked++ < 4 ? wrong : ANSWER), 1500);
  try {
    const chat = new ChatPage(page);
    await chat.open((await start(0, options)).url);
    const turn = await chat.ask(QUESTION);
    const live = turn.element.getByRole("list", { name: "Writing the query" });
    await expect(live).toContainText("the model writes 4 drafts");
    await expect(live).toContainText(/the model repairs draft 1, attempt 1 · \d/);
    await expect(turn.table).toBeVisible();
    await expect(live).toHaveCount(0);
    await turn.element.getByText("Steps and time").click();
    await expect(turn.element).toContainText(/draft 1 is wrong: .*unknown column "phase" · \d/);
    await expect(turn.element).toContainText(/draft 5 is sound · \d/);
    await expect(turn.element).toContainText(/the data source plans 1 draft · \d/);
  } finally {
    server.close();
  }
});
