import { type FormEvent, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { type Ask, createAsk, Engine, init } from "wherefore";
import { SAMPLE as catalog } from "../src/schema/sample.js";
import "../src/styles/example.js";

function Page({ ask }: { ask: Ask }) {
  const { status, text, preview, view, error } = useSyncExternalStore(ask.subscribe, ask.getState);
  const clarifications = status === "waiting" ? (view?.clarifications ?? []) : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void ask.ask();
  };
  return (
    <>
      <h1>React</h1>
      <p className="lead">
        <code>createAsk</code> holds the state, and <code>useSyncExternalStore</code> reads it.
      </p>
      <form className="question-row" onSubmit={submit}>
        <label className="field field-wide">
          Question <input value={text} autoComplete="off" onChange={(event) => ask.type(event.target.value)} />
        </label>
        <button className="button button-primary">Ask</button>
      </form>
      <p className="muted" role="status">
        {status === "waiting" ? "This is open:" : status}
      </p>
      {clarifications.map(({ id, question, options }) => (
        <fieldset className="clarification" key={id}>
          <legend>{question}</legend>
          <div className="choices">
            {options.map((option) => {
              const answer = { type: "option", option_id: option.id } as const;
              return (
                <button
                  type="button"
                  className="button"
                  key={option.id}
                  onClick={() => void ask.answer({ clarification_id: id, answer })}
                >
                  {option.label}
                </button>
              );
            })}
          </div>
        </fieldset>
      ))}
      <pre className="sql" tabIndex={0}>
        {error?.message ?? view?.problem?.message ?? view?.sql ?? preview?.sql}
      </pre>
      <p>
        <a href="../">Offline preview</a>
      </p>
    </>
  );
}

await init();
const ask = createAsk({ engine: Engine.create({ catalog }), host: {} });
ask.type("show me recent orders");
createRoot(document.querySelector("#app")!).render(<Page ask={ask} />);
