import { useSyncExternalStore } from "react";
import { offline, update } from "../pwa/worker.js";
import { Changes } from "./Changes.js";
import { Dictionary } from "./Dictionary.js";
import { DropZone } from "./DropZone.js";
import type { Model, State } from "./model.js";
import { Question } from "./Question.js";
import { Save } from "./Save.js";
import { SchemaForm } from "./SchemaForm.js";
import { SettingsPanel } from "./Settings.js";
import { Theme } from "./Theme.js";

/** The whole page. */
export function App({ model }: { model: Model }) {
  const state = useSyncExternalStore(model.subscribe, model.getState);
  return (
    <DropZone onFiles={(files) => void model.openFiles(files)}>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className="site-header">
        <img src="./icon.svg" alt="" width="28" height="28" />
        <h1 className="site-name">Wherefore</h1>
        <p className="site-source">Offline preview</p>
        <Theme />
      </header>
      <main id="main" className="page" tabIndex={-1}>
        <Notices model={model} state={state} />
        {state.engine === "failed" ? (
          <EngineFailure model={model} state={state} />
        ) : state.saved.source ? (
          <Workbench model={model} state={state} />
        ) : (
          <SchemaForm model={model} state={state} />
        )}
      </main>
      <Footer />
    </DropZone>
  );
}

function Workbench({ model, state }: { model: Model; state: State }) {
  const { catalog } = state;
  if (!catalog) return <p className="loading">Loading the engine…</p>;
  const columns = catalog.tables.reduce((sum, table) => sum + table.columns.length, 0);
  const rows = catalog.tables.reduce((sum, table) => sum + (table.row_estimate ?? 0), 0);
  return (
    <>
      <section className="source" aria-label="Schema in use">
        <h2>{catalog.name}</h2>
        <p className="muted">
          {count(catalog.tables.length, "table")}, {count(columns, "column")}
          {state.hasRows && `, ${count(rows, "row")} in this tab`}
        </p>
        <div className="actions">
          <Save model={model} state={state} />
          <button type="button" className="button" onClick={() => model.closeSchema()}>
            Another schema
          </button>
        </div>
      </section>
      {state.notes.map((note) => (
        <p className="note" key={note}>
          {note}
        </p>
      ))}
      {!state.hasRows && isFile(state) && (
        <p className="note">The rows are not kept when the page is closed. Drop the file again to query it.</p>
      )}
      {state.engineFault && (
        <div className="card card-failed" role="alert">
          <p className="problem-message">This catalog cannot be used: {state.engineFault}</p>
        </div>
      )}
      <div className="workbench">
        <Question model={model} state={state} />
        <aside className="side" aria-label="Dictionary and settings">
          <Changes model={model} state={state} />
          <Dictionary model={model} catalog={catalog} />
          <SettingsPanel model={model} settings={state.saved.settings} />
        </aside>
      </div>
    </>
  );
}

function isFile(state: State): boolean {
  return ["sqlite", "csv", "parquet"].includes(state.saved.source?.origin ?? "");
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

function Notices({ model, state }: { model: Model; state: State }) {
  const isUpdate = useSyncExternalStore(offline.subscribe, offline.getState) === "update";
  const accept = async () => {
    // Without storage, the address carries what was entered over the reload.
    update(state.kept ? undefined : await model.link(true));
  };
  return (
    <div className="notices" aria-live="polite">
      {isUpdate && (
        <div className="note notice">
          <p>A new version is ready.</p>
          <button type="button" className="button" onClick={() => void accept()}>
            Reload
          </button>
        </div>
      )}
      {state.saved.source && state.reading && <p className="note">{state.reading}</p>}
      {state.saved.source && state.schemaFault && (
        <div className="note note-warning notice" role="alert">
          <p>
            {state.schemaFault.line && `Line ${state.schemaFault.line}: `}
            {state.schemaFault.message}
          </p>
          <button type="button" className="button" onClick={() => model.dismissSchemaFault()}>
            Close
          </button>
        </div>
      )}
      {state.linkFault && (
        <div className="note note-warning notice">
          <p>{state.linkFault}</p>
          <button type="button" className="button" onClick={() => model.dismissLinkFault()}>
            Close
          </button>
        </div>
      )}
      {state.hasAside && (
        <div className="note notice">
          <p>This was opened from a link. What you had before is still there.</p>
          <button type="button" className="button" onClick={() => model.takeBack()}>
            Return to it
          </button>
        </div>
      )}
      {!state.kept && (
        <p className="note note-warning">
          This browser does not keep what you enter here: its storage is full or forbidden. Share a link or save a file
          before you close the page.
        </p>
      )}
    </div>
  );
}

function EngineFailure({ model, state }: { model: Model; state: State }) {
  return (
    <div className="card card-failed" role="alert">
      <h2>The engine could not be loaded</h2>
      <p>{state.engineFault}</p>
      <div className="actions">
        <button type="button" className="button button-primary" onClick={() => void model.loadEngine()}>
          Try again
        </button>
      </div>
    </div>
  );
}

const OFFLINE = {
  unknown: "Preparing for use without a network…",
  ready: "Available without a network.",
  update: "A new version is ready.",
  unavailable: "Not available without a network in this browser.",
};

function Footer() {
  const state = useSyncExternalStore(offline.subscribe, offline.getState);
  return (
    <footer className="site-footer">
      <p>Everything happens in this tab. Nothing you enter is sent anywhere.</p>
      <p>
        <span data-offline={state}>{OFFLINE[state]}</span> Version {__VERSION__}.
      </p>
      <p>
        Examples: <a href="./plain/">plain script</a>, <a href="./react/">React</a>,{" "}
        <a href="./element/">element</a>
      </p>
    </footer>
  );
}
