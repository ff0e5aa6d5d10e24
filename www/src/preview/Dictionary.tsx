import { useState } from "react";
import type { Catalog, Column, Table } from "wherefore";
import { keyOf } from "../schema/catalog.js";
import type { Model } from "./model.js";

/** Tables whose fields are shown at once; a search finds the others. */
const SHOWN = 40;

/** Names and descriptions of tables and columns, which can be added to. */
export function Dictionary({ model, catalog }: { model: Model; catalog: Catalog }) {
  const [search, setSearch] = useState("");
  const sought = search.trim().toLowerCase();
  const found = catalog.tables.filter(
    (table) => keyOf(table).toLowerCase().includes(sought) || table.columns.some((column) => column.name.toLowerCase().includes(sought)),
  );
  return (
    <section className="pane" aria-label="Dictionary">
      <h2>Dictionary</h2>
      <p className="muted">Add the words that people use for a table or a column, and see what changes.</p>
      {catalog.tables.length > 8 && (
        <label className="field">
          Find a table or column
          <input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
        </label>
      )}
      <ul className="dictionary">
        {found.slice(0, SHOWN).map((table) => (
          <li key={keyOf(table)}>
            <TableEntry model={model} table={table} />
          </li>
        ))}
      </ul>
      {found.length > SHOWN && <p className="muted">{found.length - SHOWN} more; search for them.</p>}
    </section>
  );
}

function TableEntry({ model, table }: { model: Model; table: Table }) {
  const [isOpen, setOpen] = useState(false);
  const key = keyOf(table);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{key}</code> <span className="muted">{table.columns.length} columns</span>
      </summary>
      {isOpen && (
        <div className="entry">
          <Words name={key} item={table} onChange={(change) => model.describe(key, undefined, change)} />
          <ul className="columns">
            {table.columns.map((column) => (
              <li key={column.name}>
                <ColumnEntry model={model} table={key} column={column} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </details>
  );
}

function ColumnEntry({ model, table, column }: { model: Model; table: string; column: Column }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{column.name}</code>{" "}
        <span className="muted">
          {column.data_type ?? "other"}
          {column.values && `, ${column.values.values.length} values`}
          {column.synonyms?.length ? `, also: ${column.synonyms.join(", ")}` : ""}
        </span>
      </summary>
      {isOpen && (
        <Words
          name={`${table}.${column.name}`}
          item={column}
          onChange={(change) => model.describe(table, column.name, change)}
        />
      )}
    </details>
  );
}

interface Described {
  synonyms?: string[];
  description?: string;
}

function Words({ name, item, onChange }: { name: string; item: Described; onChange(change: Described): void }) {
  // The text as typed, which ends with a comma while the next word is not there yet.
  const [synonyms, setSynonyms] = useState((item.synonyms ?? []).join(", "));
  const [description, setDescription] = useState(item.description ?? "");
  const wordsOf = (text: string) => text.split(",").map((word) => word.trim()).filter(Boolean);
  return (
    <div className="words">
      <label className="field">
        <span>
          Also called <span className="visually-hidden">({name})</span>
        </span>
        <input
          value={synonyms}
          placeholder="words, separated by commas"
          onChange={(event) => {
            setSynonyms(event.target.value);
            onChange({ synonyms: wordsOf(event.target.value) });
          }}
        />
      </label>
      <label className="field">
        <span>
          Description <span className="visually-hidden">({name})</span>
        </span>
        <input
          value={description}
          onChange={(event) => {
            setDescription(event.target.value);
            onChange({ description: event.target.value });
          }}
        />
      </label>
    </div>
  );
}
