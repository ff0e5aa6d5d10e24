import type { Locator, Page } from "@playwright/test";
import { Texts } from "../support/texts";

/** The side panel with its tabs. */
export class SidePanel {
  readonly element: Locator;
  readonly switch: Locator;
  readonly content: Locator;

  constructor(
    private readonly page: Page,
    private readonly texts = new Texts("en"),
  ) {
    this.element = page.getByRole("complementary", { name: texts.of("side-panel") });
    this.switch = page.getByRole("button", { name: texts.of("side-panel") });
    this.content = page.getByRole("tabpanel");
  }

  /** Opens the panel, unless it is open, and one of its tabs. */
  async open(tab: "History" | "Data" | "Memory" | "Settings"): Promise<void> {
    if ((await this.switch.getAttribute("aria-expanded")) === "false") await this.switch.click();
    await this.page.getByRole("tab", { name: this.texts.of(`tab-${tab.toLowerCase()}`) }).click();
  }
}
