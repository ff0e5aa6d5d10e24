import { AxeBuilder } from "@axe-core/playwright";
import { expect, test as base, type Page } from "@playwright/test";
import { ChatPage } from "../pages/chat-page";
import { Proxy } from "./proxy";

/** Collects faults that fail any test, uncaught errors and CSP violations; asserted at the end of each test. */
class Complaints {
  readonly found: string[] = [];

  async watch(page: Page): Promise<void> {
    page.on("pageerror", (error) => this.found.push(`error: ${error.message}`));
    await page.exposeFunction("reportViolation", (text: string) => this.found.push(text));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        (window as any).reportViolation(`policy: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
  }
}

export const test = base.extend<{ chat: ChatPage; guarded: void; start: (port?: number, more?: string[], pack?: boolean) => Promise<Proxy> }, { server: Proxy }>({
  server: [
    async ({}, use) => {
      const proxy = await Proxy.start();
      await use(proxy);
      await proxy.stop();
    },
    { scope: "worker" },
  ],
  guarded: [
    async ({ page }, use) => {
      const complaints = new Complaints();
      await complaints.watch(page);
      await use();
      expect(complaints.found, "page errors and policy violations").toEqual([]);
    },
    { auto: true },
  ],
  // Servers started by a test are stopped even if it fails.
  start: async ({}, use) => {
    const started: Proxy[] = [];
    await use(async (port, more, pack) => {
      const proxy = await Proxy.start(port, more, pack);
      started.push(proxy);
      return proxy;
    });
    for (const proxy of started) await proxy.stop();
  },
  chat: async ({ page, server }, use) => {
    const chat = new ChatPage(page);
    await chat.open(server.url);
    await use(chat);
  },
});

// HTML allows a combobox on an input of one line only; on a field of several lines, browsers and screen readers follow the
// role just as well, and a question may have several lines.
const ALLOWED = { rule: "aria-allowed-role", target: "#composer-text" };

/** Asserts that axe finds no violation of WCAG 2.2 AA. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const faults = violations
    .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ target }) => id !== ALLOWED.rule || target[0] !== ALLOWED.target) }))
    .filter(({ nodes }) => nodes.length > 0);
  const found = faults.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n  ")}`);
  expect(found).toEqual([]);
}

/** Horizontal overflow of the page, in pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const root = document.documentElement;
    return root.scrollWidth - root.clientWidth;
  });
}

export { expect };
