import type { Host } from "wherefore";
import { type Opened, type Reply, type Request, type Results, TabError, type Task } from "./protocol.js";

/** Time that a statement has to end after it was cancelled, before the worker is replaced, in milliseconds. */
const GRACE = 300;
/** Longest wait for a statement before the worker is replaced, in milliseconds; the worker stops it earlier. */
const WATCHDOG = 30_000;

interface Waiting {
  resolve(value: never): void;
  reject(error: TabError): void;
  progress: ((text: string) => void) | undefined;
}

/** Rows of dropped files, in a worker that is started with the first file. */
export class TabData {
  #worker: Worker | undefined;
  #files: readonly File[] = [];
  #waiting = new Map<number, Waiting>();
  #last = 0;

  /** Opens files as one database, in place of those that were open. */
  async open(files: readonly File[], progress: (text: string) => void): Promise<Opened> {
    const opened = await this.#perform({ type: "open", files: [...files] }, progress);
    this.#files = files;
    return opened;
  }

  /** Runs a statement if the guard accepts it; `signal` stops it. */
  async run(sql: string, rowLimit: number, signal?: AbortSignal): Promise<Results["run"]> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => this.#restart();
    const limit = (milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(stop, milliseconds);
    };
    const onAbort = () => limit(GRACE);
    limit(WATCHDOG);
    signal?.addEventListener("abort", onAbort);
    try {
      return await this.#perform({ type: "run", sql, rowLimit });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Functions for `createAsk`. */
  host(): Host {
    return {
      values: ({ column, text }) => this.#perform({ type: "values", table: column.table, column: column.column, text }),
      run: ({ sql, row_limit }, signal) => this.run(sql, row_limit, signal),
    };
  }

  /** Closes the files and ends the worker. */
  close(): void {
    this.#end(new TabError("closed", "The file was closed."));
    this.#files = [];
  }

  #end(error: TabError): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** Ends the worker with the statement that it runs, and opens the files in another one. */
  #restart(): void {
    this.#end(new TabError("statement_timeout", "The statement was stopped."));
    // Statements that follow report it if this fails.
    if (this.#files.length > 0) void this.open(this.#files, () => {}).catch(() => {});
  }

  #perform<T extends Task>(task: T, progress?: (text: string) => void): Promise<Results[T["type"]]> {
    this.#worker ??= this.#start();
    const id = ++this.#last;
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject, progress });
      worker.postMessage({ id, task } satisfies Request);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#waiting.get(data.id);
      if (data.type === "progress") return waiting?.progress?.(data.text);
      this.#waiting.delete(data.id);
      if (data.type === "done") waiting?.resolve(data.value as never);
      else waiting?.reject(new TabError(data.code, data.message));
    };
    worker.onerror = () => {
      const message = "The part of the page that reads files could not be loaded. Reload the page.";
      this.#end(new TabError("worker_unavailable", message));
    };
    return worker;
  }
}
