import { ChatPage } from "../pages/chat-page";
import { expect, test } from "../support/test";

/** What the proxy knows of the questions of the page's user. */
async function known(chat: ChatPage) {
  return chat.page.evaluate(async () => {
    const person = localStorage.getItem("wherefore-person");
    const history = await (await fetch(`/api/v1/history?person=${person}`)).json();
    const figures = await (await fetch("/api/v1/figures")).json();
    const questions = history.questions.map((past: any) => [past.question, past.status, past.rounds]);
    const threads = new Set(history.questions.map((past: any) => past.thread_id)).size;
    return { questions, threads, counted: figures.all.questions, asked_back: figures.all.asked_back };
  });
}

// Promise: history.page
test("a question of the page is in the history and the figures, once", async ({ page, start }) => {
  const proxy = await start();
  const chat = new ChatPage(page);
  await chat.open(proxy.url);
  const plain = await chat.ask("how many customers");
  await expect(plain.element.getByText("Answered")).toBeVisible();
  const asked = await chat.ask("show me recent orders");
  await expect
    .poll(async () => (await known(chat)).questions)
    .toEqual([
      ["show me recent orders", "pending_clarification", 1],
      ["how many customers", "completed", 0],
    ]);
  await asked.radio(/90 days/).click();
  if (await asked.continue.isVisible()) await asked.continue.click();
  await expect(asked.element.getByText("Answered")).toBeVisible();
  await expect
    .poll(() => known(chat))
    .toEqual({
      questions: [
        ["show me recent orders", "completed", 1],
        ["how many customers", "completed", 0],
      ],
      threads: 1,
      counted: 2,
      asked_back: 0.5,
    });
});

// Promise: history.page-offline
test("questions asked while the proxy was away are reported once it is back", async ({ page, start }) => {
  const proxy = await start();
  const chat = new ChatPage(page);
  await chat.open(proxy.url);
  await page.route("**/api/**", (route) => route.abort());
  const asked = await chat.ask("show me recent orders");
  await expect(asked.heading).toHaveText("One question first.");
  const failed = await chat.ask("how many customers");
  await expect(failed.heading).toHaveText("Running the query failed.");
  await page.unroute("**/api/**");
  await failed.button("Retry").click();
  await expect(failed.element.getByText("Answered")).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect
    .poll(async () => (await known(chat)).questions)
    .toEqual([
      ["how many customers", "completed", 0],
      ["show me recent orders", "pending_clarification", 1],
    ]);
});

test("a signed-in user of the page has a history and a memory", async ({ page, start }) => {
  const proxy = await start(0, ["--auth", "keys"]);
  await page.goto(proxy.url);
  await page.getByLabel("Key").fill(proxy.addKey("ann"));
  await page.getByRole("button", { name: "Sign in" }).click();
  const chat = new ChatPage(page);
  await chat.question.waitFor();
  const turn = await chat.ask("how many customers");
  await expect(turn.element.getByText("Answered")).toBeVisible();
  const own = () =>
    page.evaluate(async () => (await (await fetch("/api/v1/history")).json()).questions.length);
  await expect.poll(own).toBe(1);
});
