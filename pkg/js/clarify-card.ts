import { type Choice, type Draft, answerOf, choicesOf, fitsPills, isSame, needsFilter, passesFilter } from "./clarify-draft.js";
import { type Properties, element, sentence } from "./clarify-dom.js";
import type { ClarifyLabels } from "./clarify-labels.js";
import type { Answer, Clarification } from "./wire.js";

/** What a card needs to know besides its clarification. */
export interface CardOptions {
  labels: ClarifyLabels;
  /** Prefix of the card's ids, unique within its root. */
  id: string;
  /** Whether "Remember this" is offered. */
  offersMemory: boolean;
  /** Called for a choice by pointer that needs nothing else; absent if more than one card is open. */
  onPick: (() => void) | undefined;
}

/** One clarification with its options; none is preselected unless the draft has a choice. */
export class Card {
  readonly root: HTMLElement;
  readonly #legend: HTMLElement;
  readonly #error: HTMLElement;
  readonly #custom: HTMLElement;
  readonly #rows: { choice: Choice; label: string; row: HTMLElement; input: HTMLInputElement }[];
  #byPointer = false;
  #filter = "";

  constructor(
    readonly clarification: Clarification,
    readonly draft: Draft,
    readonly options: CardOptions,
  ) {
    const { labels, id, offersMemory } = options;
    this.#rows = choicesOf(clarification).map((choice, index) => this.#row(choice, `${id}-choice-${index}`));
    this.#legend = element("legend", { part: "question", tabIndex: -1 }, clarification.question);
    this.#error = element("p", { part: "error", className: "error", id: `${id}-error` });
    this.#custom = element("div", { part: "fields", className: "fields", hidden: true }, ...this.#fields());
    const reason = element("p", { part: "reason", className: "reason", id: `${id}-reason` }, sentence(clarification.reason));
    const layout = fitsPills(clarification) ? "options pills" : "options stacked";
    this.root = element(
      "fieldset",
      { part: "card", className: "card", ariaDescribedby: `${id}-reason ${id}-error` },
      this.#legend,
      reason,
      ...(needsFilter(clarification) ? [this.#filterField()] : []),
      element("div", { part: "options", className: layout }, ...this.#rows.map(({ row }) => row)),
      this.#custom,
      ...(offersMemory ? [this.#memory(labels)] : []),
      this.#error,
    );
    this.root.addEventListener("keydown", (event) => this.#onKey(event));
    this.#show();
  }

  /** Moves the focus to the question. */
  focus(options?: FocusOptions): void {
    this.#legend.focus(options);
  }

  /** The answer; if something is missing, shows what, and returns `undefined`. */
  answer(): Answer | undefined {
    const answer = answerOf(this.draft, this.clarification, this.options.labels);
    const missing = "missing" in answer ? answer.missing : "";
    this.#error.textContent = missing;
    return "missing" in answer ? undefined : answer;
  }

  #pick(choice: Choice): void {
    this.draft.choice = choice;
    this.#error.textContent = "";
    this.#show();
  }

  #click(choice: Choice): void {
    const pointed = this.#byPointer;
    this.#byPointer = false;
    this.#pick(choice);
    if (pointed && choice.type !== "custom" && fitsPills(this.clarification)) this.options.onPick?.();
  }

  /** Makes the controls show the draft. */
  #show(): void {
    for (const { choice, label, row, input } of this.#rows) {
      input.checked = isSame(this.draft.choice, choice);
      row.setAttribute("part", input.checked ? "option option-checked" : "option");
      row.classList.toggle("checked", input.checked);
      row.hidden = choice.type === "option" && !passesFilter(label, this.#filter);
    }
    this.#custom.hidden = this.draft.choice?.type !== "custom";
  }

  #row(choice: Choice, id: string) {
    const { label, description, recommended } = this.#words(choice);
    const name = `${this.options.id}-choice`;
    const described = description ? `${id}-hint` : undefined;
    const input = element("input", { type: "radio", id, name, ariaDescribedby: described });
    input.addEventListener("click", () => this.#click(choice));
    input.addEventListener("change", () => this.#pick(choice));
    const badge = element("span", { part: "recommended", className: "recommended" }, this.options.labels.recommended);
    const text = element("span", { part: "label", className: "label" }, label);
    const line = element("label", {}, input, text, ...(recommended ? [badge] : []));
    line.addEventListener("pointerdown", () => (this.#byPointer = true));
    const hint = element("p", { part: "description", className: "hint", id: `${id}-hint` }, description);
    return { choice, label, row: element("div", { className: "option" }, line, ...(description ? [hint] : [])), input };
  }

  #words(choice: Choice): { label: string; description: string; recommended: boolean } {
    const { labels } = this.options;
    const { options, recommended } = this.clarification;
    const plain = { description: "", recommended: false };
    if (choice.type === "best_guess") return { label: labels.bestGuess, ...plain };
    if (choice.type === "custom") return { label: options.length > 0 ? labels.custom : labels.enterValue, ...plain };
    const option = options.find(({ id }) => id === choice.id);
    return { label: option?.label ?? "", description: option?.description ?? "", recommended: recommended === choice.id };
  }

  #filterField(): HTMLElement {
    const input = element("input", { type: "search", part: "input" });
    input.addEventListener("input", () => {
      this.#filter = input.value;
      this.#show();
    });
    return element("label", { part: "field", className: "field" }, element("span", {}, this.options.labels.filter), input);
  }

  #memory(labels: ClarifyLabels): HTMLElement {
    const input = element("input", { type: "checkbox", checked: this.draft.remember });
    input.addEventListener("change", () => (this.draft.remember = input.checked));
    return element("label", { part: "remember", className: "remember" }, input, element("span", {}, labels.remember));
  }

  /** Fields of an answer that is not among the options. */
  #fields(): HTMLElement[] {
    const { custom } = this.clarification;
    const { labels } = this.options;
    switch (custom?.type) {
      case "date_range":
        return [this.#field("start", labels.from, { type: "date" }), this.#field("end", labels.to, { type: "date" })];
      case "number": {
        const label = `${custom.column.column} ${labels.comparisons[custom.operator]}`;
        return [this.#field("number", label, { type: "text", inputMode: "decimal" }, custom.unit)];
      }
      case "text":
        return [this.#field("text", labels.ownWords, { type: "text", placeholder: custom.placeholder })];
      case undefined:
        return [];
    }
  }

  #field(name: "start" | "end" | "number" | "text", label: string, properties: Properties, unit = ""): HTMLElement {
    const input = element("input", { ...properties, part: "input", value: this.draft[name] });
    input.addEventListener("input", () => (this.draft[name] = input.value));
    const line = element("span", { className: "line" }, input, ...(unit ? [element("span", {}, unit)] : []));
    return element("label", { part: "field", className: `field ${name}` }, element("span", {}, label), line);
  }

  /** Digits select the choices in their order, unless the key goes to a text field. */
  #onKey(event: KeyboardEvent): void {
    this.#byPointer = false;
    const target = event.target;
    const types = target instanceof HTMLInputElement && !["radio", "checkbox"].includes(target.type);
    if (event.ctrlKey || event.altKey || event.metaKey || types || this.#filter !== "") return;
    const row = /^[1-9]$/.test(event.key) ? this.#rows[Number(event.key) - 1] : undefined;
    if (!row) return;
    event.preventDefault();
    this.#pick(row.choice);
    row.input.focus();
  }
}
