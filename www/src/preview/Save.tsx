import { useState } from "react";
import { valueCount } from "../schema/catalog.js";
import { download, fileName } from "../share/download.js";
import { LONG_LINK } from "../share/link.js";
import { packOf } from "../share/pack.js";
import type { Model, State } from "./model.js";

/** Sharing by link, and saving as files. */
export function Save({ model, state }: { model: Model; state: State }) {
  const [link, setLink] = useState("");
  const [said, say] = useState("");
  const [includeValues, setIncludeValues] = useState(false);
  const { catalog, saved } = state;
  const hasValues = catalog !== undefined && saved.source?.origin !== "sample" && valueCount(catalog) > 0;
  const share = async (withValues: boolean) => {
    const made = await model.link(withValues);
    setLink(made);
    try {
      await navigator.clipboard.writeText(made);
      say("The link was copied.");
    } catch {
      say("Copy the link from the field.");
    }
  };
  if (!catalog) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => void share(includeValues)}>
        Share by link
      </button>
      <button
        type="button"
        className="button"
        onClick={() => download(fileName(catalog.name, "pack.toml"), "application/toml", packOf(catalog))}
      >
        Save as pack
      </button>
      <button
        type="button"
        className="button"
        onClick={() => {
          const text = JSON.stringify({ ...catalog, can_execute: false }, null, 2);
          download(fileName(catalog.name, "json"), "application/json", text);
        }}
      >
        Save catalog
      </button>
      {link && (
        <div className="shared">
          <label className="field">
            Link: schema, dictionary, settings and question are all in it; no server receives them
            <input readOnly value={link} onFocus={(event) => event.target.select()} />
          </label>
          {hasValues && (
            <label className="check">
              <input
                type="checkbox"
                checked={includeValues}
                onChange={(event) => {
                  setIncludeValues(event.target.checked);
                  void share(event.target.checked);
                }}
              />
              Include the values that were listed from the rows
            </label>
          )}
          {link.length > LONG_LINK && (
            <p className="note note-warning">
              The link has {link.length.toLocaleString("en")} characters. Some programs cut it; save the catalog instead.
            </p>
          )}
          <p role="status">{said}</p>
        </div>
      )}
    </>
  );
}
