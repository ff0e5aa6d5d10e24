/// <reference lib="esnext.disposable" preserve="true" />
import { held, text, typed, WhereforeError } from "./errors.js";
import { json, plain } from "./json.js";
import { type EngineInitOptions, Loader } from "./load.js";
import start, * as raw from "./wasm/core.js";
import type { Completion, Context, Effect, Event, Knowledge, Memory, Preview, Start, View } from "./wire.js";

const loader = new Loader(
  (module) => start({ module_or_path: module }),
  () => new URL("./wasm/core_bg.wasm", import.meta.url),
  { load: raw.loadWords, address: () => new URL("./data/words.txt", import.meta.url) },
);

/** Loads the engine's Wasm module and its words; every other call needs it. Can be called again, also after a failure. */
export function init(options?: EngineInitOptions): Promise<void> {
  return loader.load(options);
}

let rawOf: (engine: Engine) => raw.Engine;

// These look for a private field, as `instanceof` runs traps of proxies.
/** Whether a value is an engine of this copy of the package. */
export let isEngine: (value: unknown) => value is Engine;
/** Whether a value is a session of this copy of the package. */
export let isSession: (value: unknown) => value is Session;

/** Indexed catalog and word lists, shared by sessions; creating it is the only expensive call. */
export class Engine {
  #raw: raw.Engine | undefined;

  static {
    rawOf = (engine) => {
      if (isEngine(engine)) return held(engine.#raw, "engine");
      const message = "engine must be an Engine of this copy of the package";
      throw new WhereforeError("ArgumentError", "invalid_argument", message);
    };
    isEngine = (value): value is Engine => typeof value === "object" && value !== null && #raw in value;
  }

  private constructor(made: raw.Engine) {
    this.#raw = made;
  }

  /**
   * Indexes a catalog: the response of `GET /api/v1/catalog`, or one of your own.
   *
   * Throws `KnowledgeError` if the object has another shape.
   */
  static create(knowledge: Knowledge): Engine {
    loader.require();
    const all = json(knowledge, "KnowledgeError", "invalid_knowledge");
    return new Engine(typed(() => raw.Engine.create(all)));
  }

  /** Interpretation of a text while it is typed; `today` is `yyyy-mm-dd`. */
  preview(question: string, today: string): Preview {
    return plain(typed(() => rawOf(this).preview(text(question, "question"), text(today, "today"))));
  }

  /** Like `preview`, for a text that may be a follow-up to the question of `context`. */
  previewAfter(question: string, today: string, context: Context): Preview {
    const earlier = json(context, "ContextError", "invalid_context");
    return plain(typed(() => rawOf(this).previewAfter(text(question, "question"), text(today, "today"), earlier)));
  }

  /**
   * Continuations of a text at `cursor`, by default its end, while it is typed; the likeliest first, at most 6.
   *
   * Each leads to a question that can be answered. With `context`, the text may follow the question of it.
   */
  completions(question: string, today: string, cursor?: number, context?: Context): Completion[] {
    const begun = text(question, "question");
    const place = cursor ?? begun.length;
    if (!Number.isInteger(place) || place < 0) {
      throw new WhereforeError("ArgumentError", "invalid_argument", "cursor must be a whole number from 0 on");
    }
    const earlier = context === undefined ? undefined : json(context, "ContextError", "invalid_context");
    return plain(typed(() => rawOf(this).completions(begun, place, text(today, "today"), earlier)));
  }

  /** Releases the memory; the engine cannot be used afterwards. */
  free(): void {
    this.#raw?.free();
    this.#raw = undefined;
  }

  /** Same as `free`, for `using`. */
  declare [Symbol.dispose]: () => void;
}

/** One question and its clarifications, up to its answer. */
export class Session {
  #raw: raw.Session | undefined;
  readonly #engine: Engine;
  #pending: readonly Effect[] = [];

  static {
    isSession = (value): value is Session => typeof value === "object" && value !== null && #raw in value;
  }

  private constructor(engine: Engine, made: raw.Session) {
    this.#engine = engine;
    this.#raw = made;
  }

  /**
   * A new session, with the context of an earlier question and the remembered choices if they are given.
   *
   * Throws `StartError` if `start` has another shape.
   */
  static create(engine: Engine, start?: Start): Session {
    rawOf(engine);
    if (start === undefined) return new Session(engine, typed(() => raw.Session.create()));
    const given = json(start, "StartError", "invalid_start");
    return new Session(engine, typed(() => raw.Session.started(given)));
  }

  /**
   * Restores a session from its snapshot. If an effect was pending, `cancel` and ask again.
   *
   * Throws `SnapshotError` if the text is no snapshot or was written by a later version.
   */
  static restore(engine: Engine, snapshot: string): Session {
    rawOf(engine);
    return new Session(engine, typed(() => raw.Session.restore(text(snapshot, "snapshot"))));
  }

  /** Effects that were requested and have no result yet. */
  get pending(): readonly Effect[] {
    return this.#pending;
  }

  /**
   * Processes an event and returns the effects that the host is to perform.
   *
   * Throws `StepError` if the event is not allowed now; the session then stays unchanged.
   */
  step(event: Event): readonly Effect[] {
    const given = json(event, "StepError", "invalid_event");
    const effects = plain<Effect[]>(typed(() => held(this.#raw, "session").step(rawOf(this.#engine), given)));
    // A result ends its own effect, and `remember` ends none; every other event replaces what was pending.
    const left = this.#pending.filter((effect) => {
      if (event.type === "effect_result") return effect.id !== event.effect_id;
      return event.type === "remember";
    });
    this.#pending = [...left, ...effects];
    return effects;
  }

  /** The state of the session for display: a new plain object. */
  view(): View {
    return plain(typed(() => held(this.#raw, "session").view()));
  }

  /** Context for a follow-up question; `undefined` until a statement has been composed. */
  context(): Context | undefined {
    const context = typed(() => held(this.#raw, "session").context());
    return context === undefined ? undefined : plain(context);
  }

  /**
   * Adds new choices of this session to a memory and returns it; `today` is `yyyy-mm-dd`.
   *
   * Throws `MemoryError` if the object has another shape.
   */
  remembered(memory: Memory, today: string): Memory {
    const known = json(memory, "MemoryError", "memory_unreadable");
    const session = held(this.#raw, "session");
    return plain(typed(() => session.remembered(rawOf(this.#engine), known, text(today, "today"))));
  }

  /**
   * The session as text, from which `restore` creates it again.
   *
   * Throws `SnapshotError` if it cannot be encoded.
   */
  snapshot(): string {
    return typed(() => held(this.#raw, "session").snapshot());
  }

  /** Releases the memory; the session cannot be used afterwards. */
  free(): void {
    this.#raw?.free();
    this.#raw = undefined;
    this.#pending = [];
  }

  /** Same as `free`, for `using`. */
  declare [Symbol.dispose]: () => void;
}

// Older browsers have no `Symbol.dispose`.
if (Symbol.dispose) {
  Engine.prototype[Symbol.dispose] = Engine.prototype.free;
  Session.prototype[Symbol.dispose] = Session.prototype.free;
}
