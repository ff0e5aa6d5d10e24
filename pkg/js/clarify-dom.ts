/** Properties of a new element; `part` and `ariaDescribedby` become attributes. */
export type Properties = Partial<
  Pick<HTMLInputElement, "checked" | "className" | "hidden" | "id" | "inputMode" | "name" | "placeholder" | "tabIndex" | "type" | "value">
> & { part?: string; ariaDescribedby?: string | undefined; role?: string };

/** A new element with properties and children; texts are never read as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { part, ariaDescribedby, role, ...properties }: Properties,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  if (part) made.setAttribute("part", part);
  if (role) made.setAttribute("role", role);
  if (ariaDescribedby) made.setAttribute("aria-describedby", ariaDescribedby);
  made.append(...children);
  return made;
}

/** A message of the engine as a sentence: capitalised, with a full stop. */
export function sentence(message: string): string {
  const text = message.trim();
  if (text === "") return "";
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…:]$/.test(capital) ? capital : `${capital}.`;
}
