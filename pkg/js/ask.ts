import { drive } from "./drive.js";
import { type Engine, isEngine, Session } from "./engine.js";
import { asWhereforeError, check, text as textOf, typed, WhereforeError } from "./errors.js";
import type { Host } from "./host.js";
import type { ClarificationAnswer, Context, Correction, Event, Memory, Preview, View } from "./wire.js";

/** Options of `createAsk`. */
export interface AskOptions {
  engine: Engine;
  host: Host;
  /** The user's calendar date as `yyyy-mm-dd`; that of the local clock if absent. */
  today?: (() => string) | undefined;
  /** Remembered choices of the person who asks; a store without them starts with none. */
  memory?: Memory | undefined;
  /** Called with the memory after a question added to it; store it and pass it as `memory` the next time. */
  onMemory?: ((memory: Memory) => void) | undefined;
}

/** Options of `answer`. */
export interface AnswerOptions {
  /** Ids of the clarifications whose answers are to be remembered. */
  remember?: readonly string[] | undefined;
}

/** An error as plain data. */
export interface AskError {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/**
 * What a screen shows. An object is never changed: each change makes a new one, and a part that did not change stays the
 * same object. It is plain data and can be cloned.
 */
export interface AskState {
  /** `working` while effects are performed, `waiting` while clarifications are open, `done` after the question. */
  readonly status: "idle" | "working" | "waiting" | "done";
  /** The text as typed. */
  readonly text: string;
  /** Preview of the text; absent while it is empty. */
  readonly preview: Preview | undefined;
  /** View of the session of the question asked last. */
  readonly view: View | undefined;
  /** Why the last action was not accepted; the question stays as it was. */
  readonly error: AskError | undefined;
}

/** A store for one conversation, without a look. Its functions need no `this`. */
export interface Ask {
  /** The current state. */
  readonly state: AskState;
  /** Returns the current state, for `useSyncExternalStore(ask.subscribe, ask.getState)`. */
  getState(): AskState;
  /** Calls a function after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Sets the text and previews it, with the engine alone. */
  type(text: string): void;
  /** Asks the text, or another one; a question after an answer may be a follow-up. Resolves when it ends or waits. */
  ask(text?: string): Promise<AskState>;
  /** Answers clarifications. */
  answer(answers: ClarificationAnswer | readonly ClarificationAnswer[], options?: AnswerOptions): Promise<AskState>;
  /** Gives another answer to a clarification or an assumption. */
  change(answer: ClarificationAnswer): Promise<AskState>;
  /** Corrects how the question was read. */
  correct(correction: Correction): Promise<AskState>;
  /** Repeats what failed. */
  retry(): Promise<AskState>;
  /** Cancels the question. */
  cancel(): void;
  /** Forgets the conversation. */
  reset(): void;
  /** Releases the memory of the session; the engine stays usable. */
  free(): void;
  [Symbol.dispose](): void;
}

const EMPTY: AskState = Object.freeze({
  status: "idle",
  text: "",
  preview: undefined,
  view: undefined,
  error: undefined,
});

/** Creates a store that previews, asks, answers and corrects questions with an engine and a host. */
export function createAsk(options: AskOptions): Ask {
  check(options, "options", "object");
  const { engine, host, today = localDate, memory, onMemory } = typed(() => ({ ...options }));
  if (!isEngine(engine)) {
    const message = "engine must be an Engine of this copy of the package";
    throw new WhereforeError("ArgumentError", "invalid_argument", message);
  }
  check(host, "host", "object");
  check(today, "today", "function");
  check(onMemory, "onMemory", "function", true);
  const listeners = new Set<() => void>();
  let known: Memory = memory ?? { version: 1 };
  let state = EMPTY;
  let session: Session | undefined;
  let context: Context | undefined;
  let running: AbortController | undefined;

  function set(changes: Partial<AskState>): void {
    const names = Object.keys(changes) as (keyof AskState)[];
    if (names.every((name) => Object.is(state[name], changes[name]))) return;
    state = Object.freeze({ ...state, ...changes });
    for (const listener of [...listeners]) listener();
  }

  function fail(thrown: unknown): AskState {
    const { name, code, message } = asWhereforeError(thrown);
    set({ error: Object.freeze({ name, code, message }) });
    return state;
  }

  function show(view: View, status: AskState["status"]): void {
    set({ status, view: freeze(view), error: undefined });
  }

  function stop(): void {
    running?.abort();
    running = undefined;
  }

  /** Steps a session and performs its effects; an event that is not accepted changes nothing. */
  async function run(own: Session | undefined, event: Event, remember: readonly string[] = []): Promise<AskState> {
    if (!own) return fail({ name: "StepError", code: "unexpected_event", message: "no question was asked yet" });
    try {
      own.step(event);
      for (const id of remember) keep(own, id);
    } catch (thrown) {
      if (own !== session) own.free();
      return fail(thrown);
    }
    stop();
    const mine = (running = new AbortController());
    if (own !== session) {
      session?.free();
      session = own;
    }
    const isCurrent = () => running === mine;
    try {
      const view = await drive(own, host, {
        signal: mine.signal,
        onView: (view) => isCurrent() && show(view, "working"),
      });
      if (!isCurrent()) return state;
      running = undefined;
      const waits = view.outcome === "needs_clarification";
      if (!waits) context = own.context() ?? context;
      const learned = learn(own, view);
      show(view, waits ? "waiting" : "done");
      if (learned) tell(learned);
    } catch (thrown) {
      if (!isCurrent()) return state;
      running = undefined;
      set({ status: "done" });
      return fail(thrown);
    }
    return state;
  }

  /** Marks an answer as one to remember; one that was given up meanwhile has nothing to remember. */
  function keep(own: Session, clarification_id: string): void {
    try {
      own.step({ type: "remember", clarification_id });
    } catch (thrown) {
      if (asWhereforeError(thrown).name !== "StepError") throw thrown;
    }
  }

  /** Adds the choices made in an answered question to the memory, and returns it if it changed. */
  function learn(own: Session, view: View): Memory | undefined {
    if (view.outcome !== "answered") return undefined;
    const learned = own.remembered(known, today());
    if (JSON.stringify(learned) === JSON.stringify(known)) return undefined;
    known = learned;
    return learned;
  }

  /** Gives the memory to the app; if that fails, such as in a full storage, the answer stays. */
  function tell(learned: Memory): void {
    try {
      onMemory?.(learned);
    } catch (thrown) {
      fail(thrown);
    }
  }

  function end(changes: Partial<AskState>): void {
    stop();
    session?.free();
    session = undefined;
    context = undefined;
    set(changes);
  }

  const ask: Ask = {
    get state() {
      return state;
    },
    getState: () => state,
    subscribe(listener) {
      check(listener, "listener", "function");
      // A wrapper, so that a function that is given twice is called twice.
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    type(text) {
      if (text === state.text) return;
      try {
        textOf(text, "text");
        const preview =
          text.trim() === ""
            ? undefined
            : context
              ? engine.previewAfter(text, today(), context)
              : engine.preview(text, today());
        set({ text, preview: preview && freeze(preview), error: undefined });
      } catch (thrown) {
        fail(thrown);
      }
    },
    async ask(text = state.text) {
      try {
        const started = Session.create(engine, { context, memory: known });
        return await run(started, { type: "ask", text, today: today() });
      } catch (thrown) {
        return fail(thrown);
      }
    },
    async answer(answers, options) {
      try {
        const remember = [...(options?.remember ?? [])];
        const all = Array.isArray(answers) ? [...(answers as ClarificationAnswer[])] : [answers as ClarificationAnswer];
        return await run(session, { type: "answer", answers: all }, remember);
      } catch (thrown) {
        return fail(thrown);
      }
    },
    change: (answer) => run(session, { type: "change", answer }),
    correct: (correction) => run(session, { type: "correct", correction }),
    retry: () => run(session, { type: "retry" }),
    cancel() {
      if (state.status !== "working" && state.status !== "waiting") return;
      stop();
      if (!session) return;
      try {
        session.step({ type: "cancel" });
        show(session.view(), "done");
      } catch (thrown) {
        fail(thrown);
      }
    },
    reset: () => end(EMPTY),
    free() {
      listeners.clear();
      end(EMPTY);
    },
    [Symbol.dispose ?? "dispose"]() {
      ask.free();
    },
  } as Ask;
  return ask;
}

/** Freezes plain data with all its parts. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}

function localDate(): string {
  const now = new Date();
  const part = (number: number, length: number) => String(number).padStart(length, "0");
  return `${part(now.getFullYear(), 4)}-${part(now.getMonth() + 1, 2)}-${part(now.getDate(), 2)}`;
}
