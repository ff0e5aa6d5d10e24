import type { Comparison } from "./wire.js";

/** Texts of the element's own controls; the questions and options come from the engine. */
export interface ClarifyLabels {
  /** Spoken when clarifications appear. */
  asks: (count: number) => string;
  filter: string;
  recommended: string;
  /** Choice that leaves the decision to the engine. */
  bestGuess: string;
  /** Choice of an answer that is not among the options. */
  custom: string;
  /** The same, where there are no options. */
  enterValue: string;
  remember: string;
  submit: string;
  /** Button that leaves all open clarifications to the engine. */
  guessAll: string;
  /** Button that keeps an answer that was about to be changed. */
  keep: string;
  from: string;
  to: string;
  ownWords: string;
  comparisons: Readonly<Record<Comparison, string>>;
  chooseOne: string;
  enterDay: string;
  daysReversed: string;
  enterNumber: string;
  tooSmall: (minimum: number) => string;
  tooLarge: (maximum: number) => string;
  enterText: string;
}

/** English texts. */
export const ENGLISH: Readonly<ClarifyLabels> = Object.freeze({
  asks: (count: number) => (count === 1 ? "One question first." : `${count} questions first.`),
  filter: "Filter the options",
  recommended: "Recommended",
  bestGuess: "Choose for me",
  custom: "Something else…",
  enterValue: "Enter a value",
  remember: "Remember this",
  submit: "Continue",
  guessAll: "Choose all for me",
  keep: "Keep as it is",
  from: "From",
  to: "To (inclusive)",
  ownWords: "In your own words",
  comparisons: Object.freeze({
    equal: "equal to",
    greater: "more than",
    greater_or_equal: "at least",
    less: "less than",
    less_or_equal: "at most",
    not_equal: "not equal to",
  }),
  chooseOne: "Choose one of the options.",
  enterDay: "Enter the first day, the last day, or both.",
  daysReversed: "The first day is after the last.",
  enterNumber: "Enter a number.",
  tooSmall: (minimum: number) => `Enter a number of at least ${minimum}.`,
  tooLarge: (maximum: number) => `Enter a number of at most ${maximum}.`,
  enterText: "Enter a text.",
});
