import { diffLines } from "diff";
import type { Preview } from "wherefore";
import type { Model, State } from "./model.js";

/** What the dictionary and the settings change about the question. */
export function Changes({ model, state }: { model: Model; state: State }) {
  const { before, ask, saved } = state;
  const isChanged = saved.notes.length > 0 || Object.keys(saved.settings).length > 0;
  if (!isChanged) return null;
  const after = ask?.preview;
  return (
    <section className="pane changes" aria-label="Effect of your changes">
      <div className="pane-head">
        <h2>Effect of your changes</h2>
        <button type="button" className="button button-quiet" onClick={() => model.resetChanges()}>
          Take all back
        </button>
      </div>
      <div aria-live="polite">
        {before && after ? <Difference before={before} after={after} /> : <p className="muted">Type a question to see it.</p>}
      </div>
    </section>
  );
}

function Difference({ before, after }: { before: Preview; after: Preview }) {
  const asked = [questionsOf(before), questionsOf(after)] as const;
  const isSameQuestions = asked[0].join("\n") === asked[1].join("\n");
  const sql = [before.sql ?? "", after.sql ?? ""] as const;
  if (isSameQuestions && sql[0] === sql[1]) return <p>This question is understood as before.</p>;
  return (
    <>
      <h3>Asked</h3>
      {isSameQuestions ? (
        <p>{asked[0].length === 0 ? "Nothing, as before." : "The same as before."}</p>
      ) : (
        <dl className="before-after">
          <dt>Before</dt>
          <dd>{listOf(asked[0])}</dd>
          <dt>Now</dt>
          <dd>{listOf(asked[1])}</dd>
        </dl>
      )}
      <h3>SQL</h3>
      {sql[0] === sql[1] ? (
        <p>The same as before.</p>
      ) : (
        <pre className="sql diff" tabIndex={0}>
          {diffLines(sql[0], sql[1]).map((part, index) => {
            const text = part.value.replace(/\n$/, "").split("\n");
            if (part.added) return text.map((line, at) => <ins key={`${index}-${at}`}>{`+ ${line}\n`}</ins>);
            if (part.removed) return text.map((line, at) => <del key={`${index}-${at}`}>{`− ${line}\n`}</del>);
            return text.map((line, at) => <span key={`${index}-${at}`}>{`  ${line}\n`}</span>);
          })}
        </pre>
      )}
    </>
  );
}

function questionsOf(preview: Preview): string[] {
  return preview.clarifications.map((clarification) => clarification.question);
}

function listOf(questions: readonly string[]): string {
  return questions.length === 0 ? "nothing" : questions.join(" ");
}
