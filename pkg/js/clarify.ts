import { clarifyClass, type ClarifyElement } from "./clarify-element.js";

export type { Clarified, ClarifyElement, ClarifyEvents } from "./clarify-element.js";
export type { ClarifyLabels } from "./clarify-labels.js";

declare global {
  interface HTMLElementTagNameMap {
    "wherefore-clarify": ClarifyElement;
  }
}

/** Registers the element; does nothing if the tag is taken, or without a DOM. */
export function define(tag = "wherefore-clarify"): void {
  if (typeof customElements === "undefined" || customElements.get(tag)) return;
  customElements.define(tag, clarifyClass());
}
