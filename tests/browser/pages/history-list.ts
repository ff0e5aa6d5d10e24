import type { Locator, Page } from "@playwright/test";

/** The list of earlier questions. */
export class HistoryList {
  readonly summary: Locator;
  readonly search: Locator;
  readonly items: Locator;

  constructor(page: Page) {
    this.summary = page.getByText("Earlier questions", { exact: true });
    this.search = page.getByRole("searchbox", { name: "Search earlier questions" });
    this.items = page.getByRole("list", { name: "Earlier questions" }).getByRole("button");
  }
}
