import type { ClarifyLabels } from "./clarify-labels.js";
import type { Answer, Clarification } from "./wire.js";

/** Options are shown as pills up to this number. */
const PILL_OPTIONS = 5;
/** Maximum length of a pill's label, in code points. */
const PILL_CHARACTERS = 24;
/** Options are shown without a filter field up to this number. */
const UNFILTERED_OPTIONS = 8;

/** Selected item of a card: an option, "Something else…" or "Choose for me". */
export type Choice = { type: "option"; id: string } | { type: "custom" } | { type: "best_guess" };

/** Input in a card so far. */
export interface Draft {
  choice: Choice | undefined;
  /** First day, `yyyy-mm-dd`, or empty. */
  start: string;
  /** Last day, `yyyy-mm-dd`, or empty. */
  end: string;
  number: string;
  text: string;
  remember: boolean;
}

/** The draft of a card: empty, or with an answer that was given before. */
export function draftOf(answer?: Answer): Draft {
  const draft: Draft = { choice: undefined, start: "", end: "", number: "", text: "", remember: false };
  switch (answer?.type) {
    case undefined:
      return draft;
    case "best_guess":
      return { ...draft, choice: { type: "best_guess" } };
    case "option":
      return { ...draft, choice: { type: "option", id: answer.option_id } };
    case "date_range":
      return { ...draft, choice: { type: "custom" }, start: answer.start ?? "", end: answer.end ?? "" };
    case "number":
      return { ...draft, choice: { type: "custom" }, number: String(answer.value) };
    case "text":
      return { ...draft, choice: { type: "custom" }, text: answer.text };
  }
}

/** All choices of a card, in display order. */
export function choicesOf({ options, custom }: Clarification): Choice[] {
  const choices: Choice[] = options.map(({ id }) => ({ type: "option", id }));
  if (custom) choices.push({ type: "custom" });
  if (options.length > 0) choices.push({ type: "best_guess" });
  return choices;
}

/** Whether two choices are the same. */
export function isSame(left: Choice | undefined, right: Choice): boolean {
  if (left?.type !== right.type) return false;
  return left.type !== "option" || right.type !== "option" || left.id === right.id;
}

/** Whether the options are few and short enough to be shown as pills. */
export function fitsPills({ options }: Clarification): boolean {
  return options.length <= PILL_OPTIONS && options.every(({ label }) => [...label].length <= PILL_CHARACTERS);
}

/** Whether there are enough options for a filter field. */
export function needsFilter({ options }: Clarification): boolean {
  return options.length > UNFILTERED_OPTIONS;
}

/** Whether a label contains every word of the filter. */
export function passesFilter(label: string, filter: string): boolean {
  const known = label.toLowerCase();
  return filter.toLowerCase().split(/\s+/).every((word) => known.includes(word));
}

/** The answer, or `{ missing }` with a sentence that says what is missing. */
export function answerOf(draft: Draft, clarification: Clarification, labels: ClarifyLabels): Answer | { missing: string } {
  switch (draft.choice?.type) {
    case "best_guess":
      return { type: "best_guess" };
    case "option":
      return { type: "option", option_id: draft.choice.id };
    case "custom":
      return customAnswer(draft, clarification, labels);
    case undefined:
      return { missing: labels.chooseOne };
  }
}

function customAnswer(draft: Draft, { custom }: Clarification, labels: ClarifyLabels): Answer | { missing: string } {
  switch (custom?.type) {
    case "date_range": {
      const { start, end } = draft;
      if (!start && !end) return { missing: labels.enterDay };
      if (start && end && start > end) return { missing: labels.daysReversed };
      return { type: "date_range", ...(start && { start }), ...(end && { end }) };
    }
    case "number": {
      const text = draft.number.trim().replaceAll(",", "");
      const value = text === "" ? NaN : Number(text);
      if (!Number.isFinite(value)) return { missing: labels.enterNumber };
      const { minimum, maximum } = custom;
      if (minimum !== undefined && value < minimum) return { missing: labels.tooSmall(minimum) };
      if (maximum !== undefined && value > maximum) return { missing: labels.tooLarge(maximum) };
      return { type: "number", value };
    }
    case "text": {
      const text = draft.text.trim();
      return text === "" ? { missing: labels.enterText } : { type: "text", text };
    }
    case undefined:
      return { missing: labels.chooseOne };
  }
}
