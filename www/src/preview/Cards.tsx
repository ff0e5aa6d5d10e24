import { useEffect, useRef } from "react";
import type { Clarification, ClarificationAnswer } from "wherefore";
import { type ClarifyElement, define } from "wherefore/clarify";

define();

/** Gives the element the theme of the page. */
function adopt(element: ClarifyElement): void {
  const { theme } = document.documentElement.dataset;
  if (theme === "light" || theme === "dark") element.setAttribute("theme", theme);
  else element.removeAttribute("theme");
}

/** Clarifications as the package's element shows them. */
export function Cards({
  clarifications,
  onAnswer,
}: {
  clarifications: readonly Clarification[];
  onAnswer(answers: ClarificationAnswer[]): void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const element = useRef<ClarifyElement>(null);
  const listener = useRef(onAnswer);
  listener.current = onAnswer;
  useEffect(() => {
    const made = document.createElement("wherefore-clarify");
    made.setAttribute("no-memory", "");
    made.addEventListener("answer", (event) => listener.current(event.detail.answers));
    element.current = made;
    place.current?.append(made);
    const observer = new MutationObserver(() => adopt(made));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    adopt(made);
    return () => {
      observer.disconnect();
      made.remove();
    };
  }, []);
  useEffect(() => {
    if (element.current) element.current.clarifications = clarifications;
  }, [clarifications]);
  return <div ref={place} />;
}
