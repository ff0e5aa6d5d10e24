import { useId } from "react";
import type { AskState, Clarification } from "wherefore";
import { SAMPLE_QUESTIONS } from "../schema/sample.js";
import { Cards } from "./Cards.js";
import { Dialects } from "./Dialects.js";
import type { Model, State } from "./model.js";
import { OwnStatement } from "./OwnStatement.js";
import { Rows } from "./Rows.js";
import { Understood } from "./Understood.js";

/** The question, and everything that becomes of it. */
export function Question({ model, state }: { model: Model; state: State }) {
  const { question, source } = state.saved;
  const field = useId();
  const ask = state.ask;
  const suggestions = source?.origin === "sample" ? SAMPLE_QUESTIONS : (state.catalog?.areas ?? []).flatMap((area) => area.suggestions ?? []);
  return (
    <section className="question-side" aria-label="Question">
      <form
        className="question-form"
        onSubmit={(event) => {
          event.preventDefault();
          void model.submit();
        }}
      >
        <label htmlFor={field}>Question</label>
        <div className="question-row">
          <input
            id={field}
            value={question}
            autoComplete="off"
            placeholder="how many orders per month"
            onChange={(event) => model.type(event.target.value)}
          />
          <button type="submit" className="button button-primary" disabled={question.trim() === ""}>
            Ask
          </button>
        </div>
      </form>
      {suggestions.length > 0 && (
        <ul className="suggestions" aria-label="Suggested questions">
          {suggestions.slice(0, 8).map((suggestion) => (
            <li key={suggestion}>
              <button type="button" className="suggestion" onClick={() => model.type(suggestion)}>
                {suggestion}
              </button>
            </li>
          ))}
        </ul>
      )}
      {ask && question.trim() !== "" && <Outcome model={model} state={state} ask={ask} />}
      {state.hasRows && <OwnStatement model={model} />}
    </section>
  );
}

function Outcome({ model, state, ask }: { model: Model; state: State; ask: AskState }) {
  const { status, preview, view } = ask;
  const clarifications: readonly Clarification[] =
    status === "waiting" ? (view?.clarifications ?? []) : status === "idle" ? (preview?.clarifications ?? []) : [];
  const problem = ask.error?.message ?? (status === "idle" ? preview?.problem : view?.problem)?.message;
  const hint = (status === "idle" ? preview?.problem : view?.problem)?.hint;
  const understanding = preview?.understanding ?? view?.understanding;
  const assumptions = (status === "idle" ? preview?.assumptions : view?.assumptions) ?? [];
  const sql = view?.sql ?? preview?.sql;
  return (
    <>
      <p className="visually-hidden" role="status">
        {announcement(status, clarifications.length, problem)}
      </p>
      {clarifications.length > 0 && (
        <section className="card card-asks" aria-label="What would be asked">
          <h2>{status === "waiting" ? "One thing to clear up" : "This would be asked"}</h2>
          <Cards clarifications={clarifications} onAnswer={(answers) => void model.answer(answers)} />
        </section>
      )}
      {clarifications.length === 0 && status === "idle" && !problem && (
        <p className="note">Nothing would be asked: the question is clear.</p>
      )}
      {status === "working" && (
        <div className="note notice">
          <p>Working…</p>
          <button type="button" className="button" onClick={() => model.cancel()}>
            Stop
          </button>
        </div>
      )}
      {problem && (
        <div className="card card-unwritten">
          <p className="problem-message">{problem}</p>
          {hint && <p className="muted">{hint}</p>}
        </div>
      )}
      {status === "done" && view && <Rows view={view} hasRows={state.hasRows} />}
      {status === "done" && (
        <button type="button" className="button-quiet button back" onClick={() => model.startOver()}>
          Back to what would be asked
        </button>
      )}
      {understanding && <Understood understanding={understanding} assumptions={assumptions} text={state.saved.question} />}
      {sql && state.catalog && <Dialects sql={sql} catalog={state.catalog} module={state.sql} fault={state.sqlFault} onRetry={() => void model.loadSql()} />}
    </>
  );
}

function announcement(status: AskState["status"], asked: number, problem: string | undefined): string {
  if (problem) return problem;
  if (status === "working") return "Working";
  if (status === "done") return "Answered";
  return asked === 0 ? "Nothing would be asked" : `${asked} ${asked === 1 ? "thing" : "things"} would be asked`;
}
