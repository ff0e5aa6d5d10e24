import { ChatPage } from "../pages/chat-page";
import { SidePanel } from "../pages/side-panel";
import { expect } from "./test";

/** Brings an open page into a state. */
type Reach = (chat: ChatPage) => Promise<void>;

const EXECUTE = "**/api/v1/sql/execute";
const CATALOG = "**/api/v1/catalog*";

/** All states of the page, and how each is reached from the empty page in any language. */
export const STATES: Record<string, Reach> = {
  empty: async () => {},
  "not loaded": async (chat) => {
    await chat.page.route(CATALOG, (route) => route.abort());
    await chat.page.reload();
    await expect(chat.page.getByRole("button", { name: chat.texts.of("retry") })).toBeVisible();
  },
  typing: async (chat) => {
    await chat.question.fill("number of orders per customer xyzzyx");
    await chat.preview.getByText(chat.texts.of("reasons-and-sql")).click();
  },
  completing: async (chat) => {
    await chat.question.pressSequentially("number of orders b");
    await expect(chat.page.getByRole("listbox", { name: chat.texts.of("continuations") })).toBeVisible();
    await chat.question.press("ArrowDown");
  },
  clarification: async (chat) => {
    const turn = await chat.ask("show me recent orders");
    await turn.radio(chat.texts.of("something-else")).click();
    await turn.continue.click();
  },
  running: async (chat) => {
    await chat.page.route(EXECUTE, () => {});
    const turn = await chat.ask("how many customers");
    await expect(turn.button(chat.texts.of("stop"))).toBeVisible();
  },
  answer: async (chat) => {
    const chart = await chat.ask("number of orders by status");
    await expect(chart.element.getByRole("figure")).toBeVisible();
    const turn = await chat.ask("number of orders per customer");
    await expect(turn.table).toBeVisible();
    await turn.sql();
  },
  "after a clarification": async (chat) => {
    const turn = await chat.ask("show me recent orders");
    await turn.radio(/30 days/).click();
    await expect(turn.table).toBeVisible();
    await chat.ask("how many of them");
    await expect(chat.page.getByRole("article").nth(1).locator(".badge-answered")).toBeVisible();
  },
  outside: async (chat) => {
    const turn = await chat.ask("delete all customers");
    await expect(turn.element.getByText(chat.texts.of("badge-outside"))).toBeVisible();
  },
  failed: async (chat) => {
    await chat.page.route(EXECUTE, (route) => route.abort());
    const turn = await chat.ask("how many customers");
    await expect(turn.button(chat.texts.of("retry"))).toBeVisible();
  },
  history: async (chat) => {
    await asked(chat);
    const side = new SidePanel(chat.page, chat.texts);
    await side.open("History");
    await side.content.locator(".history-more").first().click();
  },
  data: async (chat) => {
    await new SidePanel(chat.page, chat.texts).open("Data");
    await chat.page.getByText("customers", { exact: true }).click();
  },
  memory: async (chat) => {
    await asked(chat);
    await new SidePanel(chat.page, chat.texts).open("Memory");
  },
  settings: async (chat) => {
    await new SidePanel(chat.page, chat.texts).open("Settings");
  },
};

/** Asks a question that asks back, so that the history and the memory have something to show. */
async function asked(chat: ChatPage): Promise<void> {
  const turn = await chat.ask("number of recent orders");
  await turn.radio(/30 days/).click();
  await expect(turn.element.locator(".badge-answered")).toBeVisible();
}
