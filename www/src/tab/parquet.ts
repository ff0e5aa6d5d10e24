import { type AsyncBuffer, parquetMetadataAsync, parquetRead, parquetSchema, type SchemaTree } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import type { DataType } from "wherefore";
import { TabError } from "./protocol.js";
import { Filler, type NewColumn } from "./rows.js";
import type { Database } from "./sqlite.js";

/** Reads a Parquet file into a new table, one row group at a time. */
export async function readParquet(file: File, table: string, database: Database, onRows: (count: number) => void): Promise<void> {
  const buffer: AsyncBuffer = {
    byteLength: file.size,
    slice: (start, end) => file.slice(start, end).arrayBuffer(),
  };
  try {
    const metadata = await parquetMetadataAsync(buffer);
    const columns = parquetSchema(metadata).children.map(columnOf);
    const filler = new Filler(database, table, columns);
    let start = 0;
    for (const group of metadata.row_groups) {
      const end = start + Number(group.num_rows);
      let rows: unknown[][] = [];
      const onComplete = (read: unknown[][]) => (rows = read);
      await parquetRead({ file: buffer, metadata, compressors, rowStart: start, rowEnd: end, onComplete });
      filler.insert(rows.map((row) => row.map((cell, index) => textOf(cell, columns[index]!.type))));
      start = end;
      onRows(filler.count);
    }
    filler.end();
  } catch (thrown) {
    if (thrown instanceof TabError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new TabError("parquet_unreadable", `${file.name}: ${message}`);
  }
}

function columnOf({ element, children }: SchemaTree): NewColumn {
  const logical = element.logical_type?.type ?? element.converted_type ?? "";
  const physical = element.type ?? "";
  const type = (): DataType => {
    if (children.length > 0) return "text";
    if (logical === "DATE") return "date";
    if (/TIMESTAMP/.test(logical) || physical === "INT96") return "timestamp";
    if (/DECIMAL/.test(logical)) return "number";
    if (/^INT(32|64)$/.test(physical)) return /TIME/.test(logical) ? "text" : "integer";
    if (physical === "DOUBLE" || physical === "FLOAT") return "number";
    return physical === "BOOLEAN" ? "boolean" : "text";
  };
  return { name: element.name, type: type() };
}

function textOf(cell: unknown, type: DataType): string | null {
  if (cell === null || cell === undefined) return null;
  if (cell instanceof Date) {
    const text = cell.toISOString();
    return type === "date" ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
  }
  if (typeof cell === "boolean") return cell ? "1" : "0";
  if (cell instanceof Uint8Array) return `${cell.length} bytes`;
  if (typeof cell === "object") return JSON.stringify(cell, (_, value) => (typeof value === "bigint" ? String(value) : value));
  return String(cell);
}
