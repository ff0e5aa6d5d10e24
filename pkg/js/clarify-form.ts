import { Card } from "./clarify-card.js";
import { type Draft, draftOf } from "./clarify-draft.js";
import { element } from "./clarify-dom.js";
import type { ClarifyLabels } from "./clarify-labels.js";
import type { Answer, Clarification, ClarificationAnswer } from "./wire.js";

/** What a form shows, and what it calls. */
export interface FormOptions {
  clarifications: readonly Clarification[];
  /** Drafts of an earlier form, by the clarification's id and content. */
  drafts: Map<string, Draft>;
  /** Answer that is about to be changed. */
  chosen: Answer | undefined;
  labels: ClarifyLabels;
  disabled: boolean;
  offersMemory: boolean;
  onAnswers: (answers: ClarificationAnswer[], remember: string[]) => void;
  /** Keeps the answer as it is; absent if nothing is about to be changed. */
  onCancel: (() => void) | undefined;
}

/** Open clarifications with one submit button. */
export class Form {
  readonly root: HTMLFormElement;
  readonly #cards: Card[];

  constructor(private readonly options: FormOptions) {
    const { clarifications, labels, chosen, offersMemory, onCancel } = options;
    const send = () => this.#send();
    const onPick = clarifications.length === 1 ? send : undefined;
    this.#cards = clarifications.map((clarification, index) => {
      const key = draftKey(clarification);
      const draft = options.drafts.get(key) ?? draftOf(chosen);
      options.drafts.set(key, draft);
      return new Card(clarification, draft, { labels, id: `card-${index}`, offersMemory, onPick });
    });
    const button = (type: "button" | "submit", part: string, label: string, act?: () => void) => {
      const made = element("button", { part }, label);
      made.type = type;
      if (act) made.addEventListener("click", act);
      return made;
    };
    const actions = [button("submit", "submit", labels.submit)];
    if (clarifications.length > 1) actions.push(button("button", "guess", labels.guessAll, () => this.#guess()));
    if (onCancel) actions.push(button("button", "cancel", labels.keep, onCancel));
    const all = element("fieldset", { className: "card", role: "presentation" }, ...this.#cards.map(({ root }) => root));
    all.append(element("div", { part: "actions", className: "actions" }, ...actions));
    all.disabled = options.disabled;
    this.root = element("form", { part: "form" }, all);
    this.root.noValidate = true;
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      send();
    });
  }

  /** Moves the focus to the first question. */
  focus(options?: FocusOptions): void {
    this.#cards[0]?.focus(options);
  }

  /** Gives all answers, or says what is missing and moves the focus there. */
  #send(): void {
    const answers = this.#cards.map((card) => card.answer());
    const missing = answers.indexOf(undefined);
    if (missing >= 0) {
      this.#cards[missing]?.focus();
      return;
    }
    this.#give((_card, index) => answers[index] as Answer);
  }

  #guess(): void {
    this.#give(() => ({ type: "best_guess" }));
  }

  #give(answer: (card: Card, index: number) => Answer): void {
    if (this.options.disabled) return;
    const ids = (cards: Card[]) => cards.map(({ clarification }) => clarification.id);
    const answers = this.#cards.map((card, index) => ({
      clarification_id: card.clarification.id,
      answer: answer(card, index),
    }));
    this.options.onAnswers(answers, ids(this.#cards.filter(({ draft }) => draft.remember)));
  }
}

/** Key of a clarification's draft: another content starts anew. */
export function draftKey(clarification: Clarification): string {
  return JSON.stringify([clarification.id, clarification.question, clarification.options.map(({ id }) => id)]);
}
