import Papa from "papaparse";
import type { DataType } from "wherefore";
import { TabError } from "./protocol.js";
import { Filler, type NewColumn } from "./rows.js";
import type { Database } from "./sqlite.js";

/** Rows from which the types of the columns are inferred. */
const SAMPLE_ROWS = 2_000;
const BATCH_CHARACTERS = 1 << 21;

const PATTERNS: [DataType, RegExp][] = [
  ["integer", /^-?(0|[1-9]\d{0,17})$/],
  ["number", /^-?(0|[1-9]\d*)?\.?\d+([eE][-+]?\d+)?$/],
  ["date", /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])$/],
  ["timestamp", /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d:?\d\d)?$/],
];

/** Papa's parser of a whole text, which says where the last whole row ends. */
type Parser = new (config: object) => {
  parse(text: string, base: number, ignoreLastRow: boolean): Papa.ParseResult<string[]>;
};
const Parser = (Papa as unknown as { Parser: Parser }).Parser;

/** Reads a CSV file into a new table, without ever holding all of it as text. */
export async function readCsv(file: File, table: string, database: Database, onRows: (count: number) => void): Promise<void> {
  const decoder = new TextDecoderStream(await encodingOf(file));
  const reader = file.stream().pipeThrough(decoder as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>).getReader();
  const next = async (): Promise<string> => {
    let text = "";
    while (text.length < BATCH_CHARACTERS) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
    return text;
  };
  let text = (await next()).replace(/^\ufeff/, "");
  const parser = parserFor(text, file.name);
  let filler: Filler | undefined;
  let width = 0;
  let line = 1;
  for (let ended = false; !ended; ) {
    const more = await next();
    ended = more === "";
    const { data, errors, meta } = parser.parse(text, 0, !ended);
    const fault = errors[0];
    if (fault) throw new TabError("csv_unreadable", `${file.name}, row ${line + (fault.row ?? 0)}: ${fault.message}`);
    const rows = data.filter((row) => row.length > 1 || row[0] !== "");
    line += data.length;
    if (!filler) {
      const names = rows.shift();
      if (!names) throw new TabError("csv_unreadable", `${file.name}: the file is empty`);
      const columns = columnsOf(names, rows.slice(0, SAMPLE_ROWS));
      width = columns.length;
      filler = new Filler(database, table, columns);
    }
    const long = rows.findIndex((row) => row.length > width);
    if (long >= 0) {
      const row = line - data.length + data.indexOf(rows[long]!);
      const counts = `${rows[long]!.length} fields, but the first row has ${width}`;
      throw new TabError("csv_unreadable", `${file.name}, row ${row}: ${counts}`);
    }
    filler.insert(rows);
    onRows(filler.count);
    text = text.slice(meta.cursor) + more;
    if (text.length > 64 * BATCH_CHARACTERS) {
      throw new TabError("csv_unreadable", `${file.name}, row ${line}: a quotation mark is not closed`);
    }
  }
  filler?.end();
}

/** UTF-8, or the encoding of files of Windows if the file begins with bytes that UTF-8 does not have. */
async function encodingOf(file: File): Promise<string> {
  const start = await file.slice(0, 1 << 20).arrayBuffer();
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

function parserFor(text: string, file: string) {
  const { meta } = Papa.parse<string[]>(text.slice(0, 100_000), { preview: 50, skipEmptyLines: true });
  if (text.includes("\0")) throw new TabError("csv_unreadable", `${file} is not a text file`);
  return new Parser({ delimiter: meta.delimiter, newline: meta.linebreak, quoteChar: '"' });
}

function columnsOf(names: readonly string[], rows: readonly string[][]): NewColumn[] {
  const taken = new Set<string>();
  return names.map((given, index) => {
    const base = given.trim() || `column_${index + 1}`;
    let name = base;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base}_${number}`;
    taken.add(name.toLowerCase());
    return { name, type: typeOf(rows.map((row) => row[index] ?? "").filter((cell) => cell !== "")) };
  });
}

/** The narrowest type that all texts have. */
export function typeOf(texts: readonly string[]): DataType {
  if (texts.length === 0) return "text";
  const fits = (pattern: RegExp) => texts.every((text) => pattern.test(text));
  return PATTERNS.find(([, pattern]) => fits(pattern))?.[0] ?? "text";
}
