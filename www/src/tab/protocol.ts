import type { Catalog, ResultSet } from "wherefore";
import type { Origin } from "../schema/read.js";

/** What the worker can be asked to do. */
export type Task =
  | { type: "open"; files: File[] }
  | { type: "run"; sql: string; rowLimit: number }
  | { type: "values"; table: string; column: string; text: string };

/** Result of a task. */
export interface Results {
  open: Opened;
  run: ResultSet;
  values: string[];
}

/** Files that were opened, as one database. */
export interface Opened {
  origin: Origin;
  catalog: Catalog;
  notes: string[];
}

/** A task with its number. */
export type Request = { id: number; task: Task };

/** What the worker posts: how far it is, and the result of each task. */
export type Reply =
  | { id: number; type: "progress"; text: string }
  | { id: number; type: "done"; value: Results[keyof Results] }
  | { id: number; type: "failed"; code: string; message: string };

/** An error with a stable code, as `createAsk` reports it. */
export class TabError extends Error {
  override readonly name = "TabError";

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
