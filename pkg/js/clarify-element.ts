import type { Ask } from "./ask.js";
import type { Draft } from "./clarify-draft.js";
import { element } from "./clarify-dom.js";
import { draftKey, Form } from "./clarify-form.js";
import { type ClarifyLabels, ENGLISH } from "./clarify-labels.js";
import { styleSheet } from "./clarify-style.js";
import { WhereforeError } from "./errors.js";
import type { Answer, Clarification, ClarificationAnswer } from "./wire.js";

/** Answers of a person: the detail of the event `answer`. */
export interface Clarified {
  readonly answers: ClarificationAnswer[];
  /** Ids of the clarifications whose answers are to be remembered. */
  readonly remember: string[];
}

/** Events of the element. */
export interface ClarifyEvents {
  /** All open clarifications are answered. `preventDefault()` keeps a store of `ask` from being given the answers. */
  answer: CustomEvent<Clarified>;
  /** "Keep as it is" was pressed. */
  cancel: CustomEvent<undefined>;
  /** Clarifications were not readable, or the store refused an answer. */
  error: CustomEvent<WhereforeError>;
}

/**
 * Cards of open clarifications, as a custom element. Attributes: `clarifications` (JSON), `theme` (`light`, `dark`; the
 * page's preference otherwise), `disabled`, `no-memory`, `cancelable`, `autofocus`.
 */
export interface ClarifyElement extends HTMLElement {
  /** What is to be answered; unreadable ones are reported by the event `error`, and change nothing. */
  clarifications: readonly Clarification[];
  /** A store whose open clarifications are shown, and which receives the answers. */
  ask: Ask | undefined;
  /** Answer that is about to be changed: it is preselected. */
  chosen: Answer | undefined;
  /** Texts of the element's own controls. */
  labels: Partial<ClarifyLabels>;
  /** Whether nothing can be answered now. */
  disabled: boolean;
  /** Whether "Keep as it is" is offered. */
  cancelable: boolean;
  addEventListener<Type extends keyof ClarifyEvents>(
    type: Type,
    listener: (this: ClarifyElement, event: ClarifyEvents[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

const PROPERTIES = ["clarifications", "ask", "chosen", "labels"] as const;

/** Makes the class of the element; only where there is a DOM. */
export function clarifyClass(): CustomElementConstructor {
  return class extends HTMLElement {
    static readonly observedAttributes = ["clarifications", "disabled", "no-memory", "cancelable"];

    readonly #body = element("div", { className: "root", part: "root" });
    readonly #status = element("p", { className: "status", role: "status" });
    readonly #drafts = new Map<string, Draft>();
    #clarifications: readonly Clarification[] = [];
    #chosen: Answer | undefined;
    #labels: ClarifyLabels = ENGLISH;
    #ask: Ask | undefined;
    #stop: (() => void) | undefined;
    #form: Form | undefined;

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [styleSheet()];
      this.#body.append(this.#status);
      root.append(this.#body);
    }

    get clarifications(): readonly Clarification[] {
      return this.#clarifications;
    }

    set clarifications(given: readonly Clarification[]) {
      const fault = faultOf(given);
      if (fault) {
        this.#fail(new WhereforeError("ArgumentError", "invalid_argument", fault));
        return;
      }
      const known = this.#clarifications.map(draftKey);
      const keys = given.map(draftKey);
      this.#clarifications = [...given];
      for (const key of this.#drafts.keys()) if (!keys.includes(key)) this.#drafts.delete(key);
      const isSame = keys.length === known.length && keys.every((key, index) => key === known[index]);
      if (isSame && this.#form) return;
      this.#render();
      this.#status.textContent = keys.length > 0 ? this.#labels.asks(keys.length) : "";
      if (keys.length > 0 && this.isConnected && this.autofocus) this.focus();
    }

    get ask(): Ask | undefined {
      return this.#ask;
    }

    set ask(ask: Ask | undefined) {
      this.#unsubscribe();
      this.#ask = ask ?? undefined;
      if (this.isConnected) this.#subscribe();
    }

    get chosen(): Answer | undefined {
      return this.#chosen;
    }

    set chosen(chosen: Answer | undefined) {
      this.#chosen = chosen ?? undefined;
      this.#drafts.clear();
      this.#render();
    }

    get labels(): Partial<ClarifyLabels> {
      return this.#labels;
    }

    set labels(labels: Partial<ClarifyLabels>) {
      this.#labels = { ...ENGLISH, ...labels };
      this.#render();
    }

    get disabled(): boolean {
      return this.hasAttribute("disabled");
    }

    set disabled(disabled: boolean) {
      this.toggleAttribute("disabled", Boolean(disabled));
    }

    get cancelable(): boolean {
      return this.hasAttribute("cancelable");
    }

    set cancelable(cancelable: boolean) {
      this.toggleAttribute("cancelable", Boolean(cancelable));
    }

    /** Moves the focus to the first question. */
    override focus(options?: FocusOptions): void {
      this.#form?.focus(options);
    }

    connectedCallback(): void {
      // Properties that were set before the element was defined hide the accessors.
      for (const name of PROPERTIES) {
        if (!Object.hasOwn(this, name)) continue;
        const value = (this as Record<string, unknown>)[name];
        delete (this as Record<string, unknown>)[name];
        (this as Record<string, unknown>)[name] = value;
      }
      this.#subscribe();
      if (this.autofocus) this.focus();
    }

    disconnectedCallback(): void {
      this.#unsubscribe();
    }

    attributeChangedCallback(name: string, _old: string | null, value: string | null): void {
      if (name !== "clarifications") return this.#render();
      try {
        this.clarifications = JSON.parse(value ?? "[]") as Clarification[];
      } catch (cause) {
        const message = "the attribute clarifications is not JSON";
        this.#fail(new WhereforeError("ArgumentError", "invalid_argument", message, { cause }));
      }
    }

    #subscribe(): void {
      const ask = this.#ask;
      if (!ask || this.#stop) return;
      const show = () => {
        const { status, view } = ask.state;
        this.clarifications = status === "waiting" && view ? view.clarifications : [];
      };
      this.#stop = ask.subscribe(show);
      show();
    }

    #unsubscribe(): void {
      this.#stop?.();
      this.#stop = undefined;
    }

    #render(): void {
      const root = this.shadowRoot as ShadowRoot;
      const hadFocus = root.activeElement !== null;
      this.#form?.root.remove();
      this.#form = undefined;
      if (this.#clarifications.length === 0) return;
      this.#form = new Form({
        clarifications: this.#clarifications,
        drafts: this.#drafts,
        chosen: this.#chosen,
        labels: this.#labels,
        disabled: this.disabled,
        offersMemory: !this.hasAttribute("no-memory"),
        onAnswers: (answers, remember) => this.#answer({ answers, remember }),
        onCancel: this.cancelable ? () => this.#tell("cancel", undefined) : undefined,
      });
      this.#body.append(this.#form.root);
      if (hadFocus && !this.disabled) this.#form.focus();
    }

    #answer(detail: Clarified): void {
      const ask = this.#ask;
      if (!this.#tell("answer", detail) || !ask) return;
      void ask.answer(detail.answers, { remember: detail.remember }).then(({ error }) => {
        if (error) this.#fail(new WhereforeError(error.name, error.code, error.message));
      });
    }

    #tell(type: keyof ClarifyEvents, detail: unknown): boolean {
      return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }));
    }

    #fail(error: WhereforeError): void {
      this.dispatchEvent(new CustomEvent("error", { detail: error }));
    }
  };
}

/** What is wrong with clarifications; `undefined` if they can be shown. */
function faultOf(given: unknown): string | undefined {
  if (!Array.isArray(given)) return "clarifications must be an array";
  const wrong = given.findIndex((one: Partial<Clarification> | null) => {
    const { id, question, reason, options } = one ?? {};
    const areTexts = [id, question, reason].every((part) => typeof part === "string");
    return !areTexts || !Array.isArray(options) || !options.every((option) => typeof option?.label === "string");
  });
  return wrong < 0 ? undefined : `clarifications[${wrong}] is not a clarification`;
}
