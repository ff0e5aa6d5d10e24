"use client";
// The component of both React apps: the store, and the element for its cards.
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createAsk, Engine, init } from "wherefore";
import { define } from "wherefore/clarify";

const host = { run: () => ({ columns: [{ name: "n" }], rows: [[3]] }) };
const never = () => () => {};
const nothing = () => undefined;

export default function Ask({ catalog }) {
  const [ask, setAsk] = useState();
  const cards = useRef(null);
  useEffect(() => {
    define();
    let made;
    let isGone = false;
    init().then(() => {
      if (!isGone) setAsk((made = createAsk({ engine: Engine.create({ catalog }), host })));
    });
    return () => {
      isGone = true;
      made?.free();
    };
  }, [catalog]);
  useEffect(() => {
    cards.current.ask = ask;
  }, [ask]);
  const state = useSyncExternalStore(ask?.subscribe ?? never, ask?.getState ?? nothing, nothing);
  return (
    <>
      <button disabled={!ask} onClick={() => ask.ask("recent orders")}>
        Ask
      </button>
      <wherefore-clarify ref={cards} />
      <output>{JSON.stringify(state?.view?.result?.rows)}</output>
    </>
  );
}
