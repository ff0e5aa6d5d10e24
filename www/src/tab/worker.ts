/// <reference lib="webworker" />
import { init, Statements } from "wherefore/sql";
import type { Catalog, ResultSet } from "wherefore";
import { readDdl } from "../schema/ddl.js";
import { readCsv } from "./csv.js";
import { definitionsOf, rowCounts, withInferredKeys, withValues } from "./describe.js";
import { readParquet } from "./parquet.js";
import { type Opened, type Reply, type Request, type Results, TabError, type Task } from "./protocol.js";
import { Database, literal, quoted } from "./sqlite.js";

const post = (reply: Reply) => (self as unknown as DedicatedWorkerGlobalScope).postMessage(reply);

let open: { database: Database; statements: Statements } | undefined;

// One task at a time: a statement that is sent while files are opened waits for them.
let last = Promise.resolve();
self.onmessage = ({ data }: MessageEvent<Request>) => {
  last = last.then(() => answer(data));
};

async function answer({ id, task }: Request): Promise<void> {
  const progress = (text: string) => post({ id, type: "progress", text });
  try {
    post({ id, type: "done", value: await perform(task, progress) });
  } catch (thrown) {
    const { code, message } = Object(thrown) as { code?: unknown; message?: unknown };
    post({ id, type: "failed", code: typeof code === "string" ? code : "file_unreadable", message: String(message ?? thrown) });
  }
}

async function perform(task: Task, progress: (text: string) => void): Promise<Results[keyof Results]> {
  switch (task.type) {
    case "open":
      return openFiles(task.files, progress);
    case "run":
      return run(task.sql, task.rowLimit);
    case "values": {
      const column = quoted(task.column);
      const sought = `instr(lower(${column}), lower(${literal(task.text)})) > 0`;
      const result = run(`SELECT DISTINCT ${column} FROM ${quoted(task.table)} WHERE ${sought} ORDER BY 1 LIMIT 20`, 20);
      return result.rows.map(([value]) => String(value));
    }
  }
}

/** Runs a statement as the guard prints it; a refused one throws. */
function run(sql: string, rowLimit: number): ResultSet {
  if (!open) throw new TabError("no_rows", "No file with rows is open.");
  return open.database.run(open.statements.check(sql), rowLimit);
}

async function openFiles(files: readonly File[], progress: (text: string) => void): Promise<Opened> {
  const [first] = files;
  if (!first) throw new TabError("file_unreadable", "no file was given");
  progress("Loading SQLite…");
  const [kinds] = await Promise.all([Promise.all(files.map(kindOf)), init()]);
  const own = kinds.indexOf("sqlite");
  if (own >= 0 && files.length > 1) throw new TabError("file_unreadable", "an SQLite file must be opened alone");
  const database = own >= 0 ? await Database.of(await bytesOf(first)) : await filled(files, kinds, progress);
  try {
    database.lock();
    progress("Reading the tables…");
    const name = first.name.replace(/\.\w+$/, "");
    const read = { ...(await readDdl(definitionsOf(database), "sqlite", name)), can_execute: true };
    const keyed = own >= 0 ? { catalog: read, notes: [] } : withInferredKeys(read);
    const catalog: Catalog = withValues(database, rowCounts(database, keyed.catalog));
    open?.database.close();
    open?.statements.free();
    open = { database, statements: Statements.create(catalog) };
    return { origin: kinds[0]!, catalog, notes: keyed.notes };
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

type Kind = "sqlite" | "parquet" | "csv";

async function kindOf(file: File): Promise<Kind> {
  const start = await file.slice(0, 16).text();
  if (start.startsWith("SQLite format 3")) return "sqlite";
  return start.startsWith("PAR1") ? "parquet" : "csv";
}

async function bytesOf(file: File): Promise<Uint8Array> {
  if (file.size > 1_500_000_000) throw new TabError("file_too_large", `${file.name} is larger than 1.5 GB`);
  return new Uint8Array(await file.arrayBuffer());
}

async function filled(files: readonly File[], kinds: readonly Kind[], progress: (text: string) => void): Promise<Database> {
  const database = await Database.empty();
  try {
    for (const [index, file] of files.entries()) {
      const table = file.name.replace(/\.\w+$/, "").replace(/\W+/g, "_").toLowerCase() || `table_${index + 1}`;
      const onRows = (count: number) => progress(`${file.name}: ${count.toLocaleString("en")} rows…`);
      const read = kinds[index] === "parquet" ? readParquet : readCsv;
      await read(file, table, database, onRows);
    }
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}
