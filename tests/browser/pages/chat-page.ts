import { expect, type Locator, type Page } from "@playwright/test";
import { Texts } from "../support/texts";

/** Page object of the chat page; elements are located by role and accessible name. */
export class ChatPage {
  readonly question: Locator;
  readonly preview: Locator;
  readonly thread: Locator;
  readonly status: Locator;
  readonly alert: Locator;

  constructor(
    readonly page: Page,
    readonly texts = new Texts("en"),
  ) {
    this.question = page.getByRole("combobox", { name: texts.of("question"), exact: true });
    this.preview = page.getByRole("region", { name: texts.of("how-understood") });
    this.thread = page.getByRole("region", { name: texts.of("conversation"), exact: true });
    this.status = page.getByRole("status");
    this.alert = page.getByRole("alert");
  }

  /** Opens the page in the language of its texts; English is that of the browser. */
  async open(url: string): Promise<void> {
    const { language } = this.texts;
    await this.page.goto(language === "en" ? url : `${url}/?language=${language}`);
    await this.loaded();
  }

  /** Waits until the engine and the catalog are loaded, which takes longer than a change of the page. */
  async loaded(): Promise<void> {
    await expect(this.thread).toHaveAttribute("aria-busy", "false", { timeout: 25_000 });
  }

  /** Types a question and submits it with Enter. */
  async ask(text: string): Promise<Turn> {
    await this.question.fill(text);
    await this.question.press("Enter");
    return this.turn(text);
  }

  /** The latest turn with this question. */
  turn(question: string): Turn {
    return new Turn(this.page.getByRole("article", { name: question, exact: true }).last(), this.texts);
  }
}

/** A question and its result. */
export class Turn {
  readonly heading: Locator;
  readonly cards: Locator;
  readonly continue: Locator;
  readonly table: Locator;
  readonly chosen: Locator;

  constructor(
    readonly element: Locator,
    private readonly texts = new Texts("en"),
  ) {
    this.heading = element.getByRole("heading", { level: 3 }).first();
    this.cards = element.getByRole("group").filter({ has: element.page().getByRole("radio") });
    this.continue = element.getByRole("button", { name: texts.of("go-on") });
    this.table = element.getByRole("table");
    this.chosen = element.getByRole("list", { name: texts.of("chosen") });
  }

  radio(name: string | RegExp): Locator {
    return this.element.getByRole("radio", { name });
  }

  button(name: string | RegExp): Locator {
    return this.element.getByRole("button", { name });
  }

  /** Text of the statement; opens the SQL panel if it is closed, again if a re-rendering closed it. */
  async sql(): Promise<string> {
    const panel = this.element.getByText("SQL", { exact: true });
    const statement = this.element.getByRole("group", { name: this.texts.of("sql-statement") });
    let text = "";
    await expect(async () => {
      if (!(await statement.isVisible())) await panel.click();
      text = await statement.innerText({ timeout: 1000 });
    }).toPass();
    return text;
  }
}
