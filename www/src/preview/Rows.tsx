import type { Cell, ResultSet, View } from "wherefore";

/** Rows that are shown; more are counted. */
const SHOWN = 200;

/** The answer: rows, or why there are none. */
export function Rows({ view, hasRows }: { view: View; hasRows: boolean }) {
  if (view.result) {
    return (
      <section className="pane" aria-label="Answer">
        <h2>{view.confirmation ?? "Answer"}</h2>
        <Table result={view.result} />
        {view.notes.map((note) => (
          <p className="note" key={note.text}>
            {note.text}
          </p>
        ))}
      </section>
    );
  }
  if (!view.sql || view.problem) return null;
  return (
    <section className="pane" aria-label="Answer">
      <h2>{view.confirmation ?? "This would run"}</h2>
      {!hasRows && <p className="muted">There are no rows in this tab. Drop a SQLite, CSV or Parquet file to run it.</p>}
    </section>
  );
}

/** A result as a table. */
export function Table({ result }: { result: ResultSet }) {
  const { columns, rows, truncated, cut_count = 0 } = result;
  const shown = rows.slice(0, SHOWN);
  const isNumeric = columns.map((column) => column.data_type === "number" || column.data_type === "integer");
  return (
    <div className="result">
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Rows">
        <table>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th scope="col" key={index} className={isNumeric[index] ? "numeric" : undefined}>
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} className={isNumeric[column] ? "numeric" : undefined}>
                    <Value cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="row-count">
        {countOf(rows.length, shown.length, truncated ?? false)}
        {cut_count > 0 && ` Long texts were cut in ${cut_count.toLocaleString("en")} ${cut_count === 1 ? "cell" : "cells"}; these end in “…”.`}
      </p>
    </div>
  );
}

function Value({ cell }: { cell: Cell }) {
  if (cell === null) return <span className="cell-word cell-null">NULL</span>;
  if (cell === "") return <span className="cell-word">empty</span>;
  return <>{typeof cell === "number" ? cell.toLocaleString("en", { maximumSignificantDigits: 15, useGrouping: false }) : String(cell)}</>;
}

function countOf(all: number, shown: number, truncated: boolean): string {
  const rows = `${all.toLocaleString("en")} ${all === 1 ? "row" : "rows"}`;
  if (truncated) return `The first ${rows}; there are more${shown < all ? `; ${shown} shown` : ""}.`;
  return shown < all ? `${rows}; the first ${shown} shown.` : `${rows}.`;
}
