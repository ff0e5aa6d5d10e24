import type { Diagnostic } from "./sql-wire.js";
import type { Span } from "./wire.js";

/** Parts of an error besides its name, code and message. */
export interface ErrorDetails {
  diagnostics?: readonly Diagnostic[] | undefined;
  span?: Span | undefined;
  cause?: unknown;
}

/**
 * The error that this package throws. `name` is the kind of error, such as `StepError`; `code` is stable and listed in
 * the error reference.
 */
export class WhereforeError extends Error {
  /** Stable code, such as `question_empty`. */
  readonly code: string;
  /** Faults of a statement, each with its span; empty for other errors. */
  readonly diagnostics: readonly Diagnostic[];
  /** Span in the question or statement, in UTF-16 code units. */
  readonly span: Span | undefined;

  constructor(name: string, code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = name;
    this.code = code;
    this.diagnostics = details.diagnostics ?? [];
    this.span = details.span ?? this.diagnostics[0]?.span;
  }
}

/** Converts anything thrown by a Wasm module to a `WhereforeError`. */
export function asWhereforeError(thrown: unknown): WhereforeError {
  try {
    return converted(thrown);
  } catch (cause) {
    return new WhereforeError("ArgumentError", "invalid_argument", "what was thrown cannot be read", { cause });
  }
}

function converted(thrown: unknown): WhereforeError {
  if (thrown instanceof WhereforeError) return thrown;
  if (thrown instanceof WebAssembly.RuntimeError) {
    const message = "the Wasm module stopped unexpectedly and cannot be used any more; reload the page";
    return new WhereforeError("EngineError", "engine_stopped", message, { cause: thrown });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const { name, code, span } = Object(thrown) as { name?: unknown; code?: unknown; span?: Span };
  if (typeof name === "string" && typeof code === "string") {
    return new WhereforeError(name, code, message, { span, cause: thrown });
  }
  return new WhereforeError("ArgumentError", "invalid_argument", message, { cause: thrown });
}

/** Calls a function and throws what it throws as a `WhereforeError`. */
export function typed<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw asWhereforeError(thrown);
  }
}

/** Returns a text argument; throws if it is none. */
export function text(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  const kind = value === null ? "null" : typeof value;
  throw new WhereforeError("ArgumentError", "invalid_argument", `${name} must be a string; got ${kind}`);
}

/** Throws unless an argument has this type; `undefined` is accepted for optional ones. */
export function check(value: unknown, name: string, type: "object" | "function", optional = false): void {
  if ((optional && value === undefined) || (typeof value === type && value !== null)) return;
  const [kind, article] = [value === null ? "null" : typeof value, type === "object" ? "an" : "a"];
  throw new WhereforeError("ArgumentError", "invalid_argument", `${name} must be ${article} ${type}; got ${kind}`);
}

/** The object behind a handle; throws if it was freed. */
export function held<T>(raw: T | undefined, kind: string): T {
  if (raw !== undefined) return raw;
  throw new WhereforeError("HandleError", "handle_freed", `this ${kind} was freed`);
}
