import { ChatPage } from "../pages/chat-page";
import { expect, test } from "../support/test";

test("a question outlives the server, and runs once it is back", async ({ page, start }) => {
  const first = await start();
  const chat = new ChatPage(page);
  await chat.open(first.url);
  await first.stop();

  const turn = await chat.ask("how many customers");
  await expect(turn.heading).toHaveText("Running the query failed.");
  await expect(chat.alert).toContainText("Running the query failed.");
  await expect(turn.element.getByText("proxy_unreachable")).toBeVisible();
  await turn.button("Edit question").click();
  await expect(chat.question).toHaveValue("how many customers");

  await start(first.port);
  await turn.button("Retry").click();
  await expect(turn.element.getByText("Answered")).toBeVisible();
  await expect(turn.heading).toBeFocused();
});

test("a run can be stopped, and nothing of it comes later", async ({ chat, page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/v1/sql/execute", async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  const turn = await chat.ask("how many customers");
  await expect(turn.heading).toHaveText("Running the query…");
  await turn.button("Stop").click();
  await expect(turn.heading).toHaveText("Stopped.");
  await expect(turn.heading).toBeFocused();
  release();
  await page.unroute("**/api/v1/sql/execute");
  await turn.button("Edit question").click();
  const again = await chat.ask("how many customers");
  await expect(again.element.getByText("Answered")).toBeVisible();
  const stopped = page.getByRole("article").first();
  await expect(stopped.getByRole("heading", { level: 3 })).toHaveText("Stopped.");
});

test("questions are read and asked back without a server", async ({ page, start }) => {
  const proxy = await start();
  const chat = new ChatPage(page);
  await chat.open(proxy.url);
  await proxy.stop();
  const turn = await chat.ask("show me recent orders");
  await expect(turn.heading).toHaveText("One question first.");
});

test("a catalog that does not load is told, and loads on retry", async ({ page, server }) => {
  await page.route("**/api/v1/catalog*", (route) => route.abort());
  await page.goto(server.url);
  await expect(page.getByRole("heading", { name: "Could not load the catalog" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveText("The server did not respond.");
  await page.unroute("**/api/v1/catalog*");
  await page.getByRole("button", { name: "Retry" }).click();
  await new ChatPage(page).loaded();
});

test("a catalog of a newer server is told apart from one that is missing", async ({ page, server }) => {
  await page.route("**/api/v1/catalog*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), from_the_future: true } });
  });
  await page.goto(server.url);
  await expect(page.getByText(/this version of the page cannot read/i).first()).toBeVisible();
  await expect(page.getByText(/reload the page/i)).toBeVisible();
});

// Promise: security.accepted-estimate
test("a dear statement is run only after its estimate was seen", async ({ page, start }) => {
  const proxy = await start(0, ["--confirm-estimated-rows", "5"]);
  const chat = new ChatPage(page);
  await chat.open(proxy.url);
  const turn = await chat.ask("how many customers");
  await expect(turn.heading).toHaveText("Not run yet.");
  await expect(turn.element.getByText(/The database expects about [\d,]+ rows in one step/)).toBeVisible();
  await expect(turn.button("Retry")).toHaveCount(0);
  await turn.button("Run it anyway").click();
  await expect(turn.element.getByText("Answered")).toBeVisible();
  await expect(turn.heading).toBeFocused();
});
