import type { Host } from "wherefore";
import { type Opened, type Reply, type Request, type Results, TabError, type Task } from "./protocol.js";

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

  /** Runs a statement if the guard accepts it. */
  async run(sql: string, rowLimit: number): Promise<Results["run"]> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new TabError("statement_timeout", "The statement took too long and was stopped."));
        this.#restart();
      }, WATCHDOG);
    });
    const result = this.#perform({ type: "run", sql, rowLimit });
    return Promise.race([result, expired]).finally(() => clearTimeout(timer));
  }

  /** Functions for `createAsk`. */
  host(): Host {
    return {
      values: ({ column, text }) => this.#perform({ type: "values", table: column.table, column: column.column, text }),
      run: ({ sql, row_limit }) => this.run(sql, row_limit),
    };
  }

  /** Closes the files and ends the worker. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#files = [];
    for (const { reject } of this.#waiting.values()) reject(new TabError("closed", "The file was closed."));
    this.#waiting.clear();
  }

  #restart(): void {
    const files = this.#files;
    this.close();
    if (files.length > 0) void this.open(files, () => {}).catch(() => {});
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
      for (const { reject } of this.#waiting.values()) {
        reject(new TabError("worker_unavailable", "The part that reads files could not be loaded. Reload the page."));
      }
      this.close();
    };
    return worker;
  }
}
