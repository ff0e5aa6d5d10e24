import { useId, useRef } from "react";
import type { Dialect } from "wherefore";
import type { Model, State } from "./model.js";

const EXAMPLE = "CREATE TABLE customers (\n  id integer PRIMARY KEY,\n  name text\n);";

/** The first screen: a schema is pasted, dropped, chosen, or the sample taken. */
export function SchemaForm({ model, state }: { model: Model; state: State }) {
  const { draft, dialect } = state.saved;
  const field = useId();
  const fault = useId();
  const files = useRef<HTMLInputElement>(null);
  return (
    <div className="start">
      <h2>See what would be asked, before anything runs</h2>
      <p className="lead">
        Give a schema and type a question. You see what the question leaves open, what would be asked back, and the SQL
        for four databases. A file with rows can be queried, too. All of it happens in this tab.
      </p>
      <div className="actions">
        <button type="button" className="button button-primary" onClick={() => model.useSample()}>
          Try a shop
        </button>
        <button type="button" className="button" onClick={() => files.current?.click()}>
          Open files…
        </button>
        <input
          ref={files}
          className="absent"
          type="file"
          multiple
          aria-label="Files to open"
          onChange={(event) => {
            void model.openFiles([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
      </div>
      <form
        className="schema-form"
        onSubmit={(event) => {
          event.preventDefault();
          void model.readDraft();
        }}
      >
        <label htmlFor={field}>Or paste a schema</label>
        <textarea
          id={field}
          className="schema-text"
          value={draft}
          rows={10}
          spellCheck={false}
          placeholder={EXAMPLE}
          aria-invalid={state.schemaFault !== undefined}
          aria-describedby={fault}
          onChange={(event) => model.setDraft(event.target.value)}
        />
        <p id={fault} className="field-error" role="alert">
          {state.schemaFault && `${state.schemaFault.line ? `Line ${state.schemaFault.line}: ` : ""}${state.schemaFault.message}`}
        </p>
        <div className="actions">
          <button type="submit" className="button" disabled={draft.trim() === "" || state.reading !== undefined}>
            Read the schema
          </button>
          <label className="inline-field">
            SQL of
            <select
              value={dialect ?? ""}
              onChange={(event) => model.setDialect((event.target.value || undefined) as Dialect | undefined)}
            >
              <option value="">either (detected)</option>
              <option value="postgres">PostgreSQL</option>
              <option value="sqlite">SQLite</option>
            </select>
          </label>
        </div>
      </form>
      <p className="reading" role="status">
        {state.reading}
      </p>
      <dl className="formats">
        <dt>Schemas</dt>
        <dd>
          SQL (<code>CREATE TABLE</code>, <code>COMMENT ON</code>), a catalog as JSON (from{" "}
          <code>wherefore-proxy catalog export</code>), dbt’s <code>manifest.json</code>
        </dd>
        <dt>Files with rows</dt>
        <dd>SQLite, CSV, Parquet, also dropped anywhere on this page; they are opened read-only and stay here</dd>
      </dl>
    </div>
  );
}
