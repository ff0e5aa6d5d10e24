import type {
  Brief,
  Clarification,
  ClarificationAnswer,
  Dialect,
  ResultSet,
  ValueSearch,
  View,
  Written,
} from "./wire.js";

/** A statement to run. It was composed or checked by the engine, but only a server can enforce what may run. */
export interface StatementToRun {
  sql: string;
  dialect: Dialect;
  /** Maximum number of rows to return. */
  row_limit: number;
}

type Awaitable<T> = T | PromiseLike<T>;

/**
 * Functions that perform what a session requests. All are optional: an effect without its function fails, and the
 * question ends with a problem or is asked about. A function that throws makes its effect fail with the `code` and
 * `message` of the error. `signal` is aborted when the question is cancelled.
 */
export interface Host {
  /** Stored values of `search.column` that contain `search.text`, ignoring case; best first. */
  values?(search: ValueSearch, signal: AbortSignal): Awaitable<string[]>;
  /** Runs a statement, read-only, and returns its rows. */
  run?(statement: StatementToRun, signal: AbortSignal): Awaitable<ResultSet>;
  /** Lets a model write a statement that the engine cannot compose; only a proxy can judge it. */
  write?(brief: Brief, signal: AbortSignal): Awaitable<Written>;
  /** Answers to clarifications; `undefined` leaves the session waiting for a later `answer` event. */
  clarify?(
    clarifications: readonly Clarification[],
    view: View,
    signal: AbortSignal,
  ): Awaitable<ClarificationAnswer[] | undefined>;
}
