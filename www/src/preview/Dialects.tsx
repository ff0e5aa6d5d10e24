import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import type { Catalog, Diagnostic } from "wherefore";
import type { Target } from "wherefore/sql";

const TARGETS: [Target, string][] = [
  ["postgres", "PostgreSQL"],
  ["sqlite", "SQLite"],
  ["mssql", "SQL Server"],
  ["bigquery", "BigQuery"],
];

interface Translated {
  sql?: string;
  /** What may differ, or why there is no equivalent. */
  remarks: { message: string; hint?: string | undefined }[];
}

/** The statement in each dialect, as tabs. */
export function Dialects({
  sql,
  catalog,
  module,
  fault,
  onRetry,
}: {
  sql: string;
  catalog: Catalog;
  module: typeof import("wherefore/sql") | undefined;
  /** Why the module could not be loaded. */
  fault: string | undefined;
  onRetry(): void;
}) {
  const own = catalog.dialect ?? "postgres";
  const [chosen, choose] = useState<Target>(own);
  const tabs = useRef(new Map<Target, HTMLButtonElement>());
  const id = useId();
  const shown = useMemo(() => translate(sql, own, chosen, catalog, module), [sql, own, chosen, catalog, module]);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const index = TARGETS.findIndex(([target]) => target === chosen);
    const [next] = TARGETS[(index + step + TARGETS.length) % TARGETS.length]!;
    event.preventDefault();
    choose(next);
    tabs.current.get(next)?.focus();
  };
  return (
    <section className="pane" aria-label="SQL">
      <div className="pane-head">
        <h2>SQL</h2>
        <div className="tabs" role="tablist" aria-label="Dialect" onKeyDown={move}>
          {TARGETS.map(([target, name]) => (
            <button
              type="button"
              role="tab"
              key={target}
              ref={(element) => void (element && tabs.current.set(target, element))}
              id={`${id}-${target}`}
              aria-selected={target === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={target === chosen ? 0 : -1}
              className="tab"
              onClick={() => choose(target)}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {shown ? <Shown {...shown} /> : fault ? <Failure fault={fault} onRetry={onRetry} /> : <p className="muted">Loading the translator…</p>}
      </div>
    </section>
  );
}

function Failure({ fault, onRetry }: { fault: string; onRetry(): void }) {
  return (
    <div className="note note-warning notice" role="alert">
      <p>The translator could not be loaded: {fault}</p>
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

function Shown({ sql, remarks }: Translated) {
  const [said, say] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sql ?? "");
      say("Copied.");
    } catch {
      say("The browser does not allow copying; select the text instead.");
    }
  };
  return (
    <>
      {sql !== undefined && (
        <>
          <pre className="sql" tabIndex={0}>
            <code>{sql}</code>
          </pre>
          <p className="actions">
            <button type="button" className="button button-quiet" onClick={() => void copy()}>
              Copy
            </button>
            <span role="status">{said}</span>
          </p>
        </>
      )}
      {sql === undefined && <p className="note note-warning">This dialect has no equivalent of the statement.</p>}
      {remarks.length > 0 && (
        <ul className="remarks">
          {remarks.map(({ message, hint }) => (
            <li key={message}>
              {message}
              {hint && <span className="muted"> {hint}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function translate(
  sql: string,
  from: "postgres" | "sqlite",
  to: Target,
  catalog: Catalog,
  module: typeof import("wherefore/sql") | undefined,
): Translated | undefined {
  if (from === to) return { sql, remarks: [] };
  if (!module) return undefined;
  try {
    const { sql: text, doubts } = module.translate(sql, from, to, catalog);
    return { sql: text, remarks: doubts };
  } catch (thrown) {
    const { diagnostics = [], message } = Object(thrown) as { diagnostics?: Diagnostic[]; message?: string };
    return { remarks: diagnostics.length > 0 ? diagnostics : [{ message: String(message ?? thrown) }] };
  }
}
