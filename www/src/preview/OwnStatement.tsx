import { useId, useRef, useState } from "react";
import type { ResultSet } from "wherefore";
import type { Model } from "./model.js";
import { Table } from "./Rows.js";

/** A statement of the user's own, which runs only if the guard accepts it. */
export function OwnStatement({ model }: { model: Model }) {
  const [sql, setSql] = useState("");
  const [result, setResult] = useState<ResultSet>();
  const [fault, setFault] = useState("");
  const [isRunning, setRunning] = useState(false);
  const stop = useRef<AbortController>(null);
  const field = useId();
  const run = async () => {
    setFault("");
    setResult(undefined);
    setRunning(true);
    stop.current = new AbortController();
    try {
      setResult(await model.run(sql, stop.current.signal));
    } catch (thrown) {
      setFault(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setRunning(false);
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
        <div className="actions">
          <button type="submit" className="button" disabled={sql.trim() === "" || isRunning}>
            Check and run
          </button>
          {isRunning && (
            <button type="button" className="button" onClick={() => stop.current?.abort()}>
              Stop
            </button>
          )}
        </div>
        <p className="field-error" role="alert">
          {fault}
        </p>
        {result && <Table result={result} />}
      </form>
    </details>
  );
}
