import { useId, useState } from "react";
import type { ResultSet } from "wherefore";
import type { Model } from "./model.js";
import { Table } from "./Rows.js";

/** A statement of the user's own, which runs only if the guard accepts it. */
export function OwnStatement({ model }: { model: Model }) {
  const [sql, setSql] = useState("");
  const [result, setResult] = useState<ResultSet>();
  const [fault, setFault] = useState("");
  const field = useId();
  const run = async () => {
    setFault("");
    setResult(undefined);
    try {
      setResult(await model.run(sql));
    } catch (thrown) {
      setFault(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <details className="panel">
      <summary>Run a statement of your own</summary>
      <form
        className="panel-body"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <label htmlFor={field}>SELECT statement</label>
        <textarea id={field} className="schema-text" rows={4} spellCheck={false} value={sql} onChange={(event) => setSql(event.target.value)} />
        <button type="submit" className="button" disabled={sql.trim() === ""}>
          Check and run
        </button>
        <p className="field-error" role="alert">
          {fault}
        </p>
        {result && <Table result={result} />}
      </form>
    </details>
  );
}
