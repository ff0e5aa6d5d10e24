import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The sales of `tests/data/sales.tsv`, as CSV; days before today become dates. */
export function salesCsv(): string {
  const text = readFileSync(join(import.meta.dirname, "../../data/sales.tsv"), "utf8").trimEnd();
  const [names, ...rows] = text.split("\n").map((line) => line.split("\t"));
  const lines = rows.map((row) => [...row.slice(0, -1), dayBefore(Number(row.at(-1)))].join(","));
  return [[...names.slice(0, -1), "sold_on"].join(","), ...lines, ""].join("\n");
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** Makes a DuckDB file from a CSV file, in a process that ends, with the client that is installed beside the driver. */
export function makeDuckDb(driver: string, csv: string, file: string): void {
  const client = join(dirname(driver), "duckdb.node");
  const code = `
    const duckdb = require(${JSON.stringify(client)});
    (async () => {
      const connection = await duckdb.connect(await duckdb.open(${JSON.stringify(file)}));
      await duckdb.query(connection, "CREATE TABLE sales AS SELECT * FROM read_csv('${csv}')");
      await duckdb.query(connection, "CHECKPOINT");
      process.exit(0);
    })().catch((error) => { console.error(error); process.exit(1); });`;
  execFileSync(process.execPath, ["-e", code]);
}
