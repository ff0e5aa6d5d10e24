import type { Locator, Page } from "@playwright/test";
import { SidePanel } from "./side-panel";

/** The list of earlier questions in the side panel. */
export class HistoryList {
  readonly search: Locator;
  readonly items: Locator;
  readonly undo: Locator;

  constructor(private readonly page: Page) {
    this.search = page.getByRole("searchbox", { name: "Search earlier questions" });
    this.items = page.getByRole("list", { name: "Earlier questions" }).locator(".history-item");
    this.undo = page.getByRole("button", { name: "Undo" });
  }

  async open(): Promise<void> {
    await new SidePanel(this.page).open("History");
  }

  /** Opens the actions of a question and takes one. */
  async act(question: string, action: "Pin" | "Unpin" | "Rename" | "Delete"): Promise<void> {
    const more = this.page.getByRole("button", { name: `Actions for ${question}`, exact: true });
    if ((await more.getAttribute("aria-expanded")) === "false") await more.click();
    await this.page.getByRole("listitem").filter({ has: more }).getByRole("button", { name: action, exact: true }).click();
  }
}
