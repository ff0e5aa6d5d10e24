/**
 * Style of the element. Everything a page may set is a custom property or a `::part`; `all: initial` stops what it sets
 * for its own elements.
 */
const CSS = `
:host { all: initial; display: block; }
:host([hidden]) { display: none; }
.root {
  all: initial;
  color-scheme: light dark;
  --text: var(--wherefore-text, light-dark(#1c1f22, #e9eaec));
  --muted: var(--wherefore-text-muted, light-dark(#5a6067, #a3abb5));
  --surface: var(--wherefore-surface, light-dark(#ffffff, #1d2024));
  --line: var(--wherefore-line, light-dark(#82867f, #7b838d));
  --accent: var(--wherefore-accent, light-dark(#2a5c8c, #8fbfee));
  --on-accent: var(--wherefore-on-accent, light-dark(#ffffff, #0d1a27));
  --accent-soft: var(--wherefore-accent-soft, light-dark(#e6eef6, #1f2e3d));
  --focus: var(--wherefore-focus, light-dark(#1b62c4, #8cc2ff));
  --good: var(--wherefore-good, light-dark(#22683f, #84d1a2));
  --good-soft: var(--wherefore-good-soft, light-dark(#e4f2e9, #182d21));
  --bad: var(--wherefore-bad, light-dark(#a3262a, #ff9d9a));
  --radius: var(--wherefore-radius, 10px);
  --space: var(--wherefore-space, 8px);
  display: block;
  box-sizing: border-box;
  color: var(--text);
  font: var(--wherefore-font, medium/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
}
:host([theme="light"]) .root { color-scheme: light; }
:host([theme="dark"]) .root { color-scheme: dark; }
*, ::before, ::after { box-sizing: inherit; }
[hidden] { display: none !important; }
form { display: grid; grid-template-columns: minmax(0, 1fr); gap: calc(3 * var(--space)); margin: 0; }
.card { display: grid; grid-template-columns: minmax(0, 1fr); gap: calc(1.5 * var(--space)); min-inline-size: 0; margin: 0; padding: 0; border: 0; }
legend { padding: 0; margin-block-end: calc(0.5 * var(--space)); font-size: 1.0625em; font-weight: 600; overflow-wrap: anywhere; }
legend:focus { outline: none; }
p { margin: 0; }
.reason { color: var(--muted); font-size: 0.9375em; }
.options { display: flex; flex-wrap: wrap; gap: var(--space); }
.stacked { flex-direction: column; }
.option { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
.option:hover, .checked { background: var(--accent-soft); }
.checked { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.option:focus-within { outline: 3px solid var(--focus); outline-offset: 1px; }
.option label { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--space); min-block-size: 2.5em; padding: calc(0.5 * var(--space)) calc(1.5 * var(--space)); cursor: pointer; }
input { font: inherit; color: inherit; margin: 0; }
input[type="radio"], input[type="checkbox"] { flex: none; inline-size: 1.125em; block-size: 1.125em; accent-color: var(--accent); outline: none; }
input[type="checkbox"]:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
.label { max-inline-size: calc(100% - 1.125em - var(--space)); min-inline-size: 0; overflow-wrap: anywhere; }
.hint { max-inline-size: 36em; margin-block-start: calc(-0.5 * var(--space)); padding: 0 calc(1.5 * var(--space)) var(--space) calc(2.5 * var(--space) + 1.125em); color: var(--muted); font-size: 0.875em; }
.recommended { padding: 0 var(--space); border-radius: calc(0.6 * var(--radius)); background: var(--good-soft); color: var(--good); font-size: 0.8125em; font-weight: 600; }
.fields { display: flex; flex-wrap: wrap; gap: calc(1.5 * var(--space)); }
.field { display: grid; gap: calc(0.5 * var(--space)); font-size: 0.9375em; }
.field.text { flex: 1; }
.line { display: flex; align-items: center; gap: var(--space); }
.field input { flex: 1; min-block-size: 2.5em; min-inline-size: 0; padding: 0 calc(1.5 * var(--space)); border: 1px solid var(--line); border-radius: calc(0.6 * var(--radius)); background: var(--surface); }
.field input:focus-visible, button:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
.remember { display: flex; align-items: center; gap: var(--space); font-size: 0.9375em; cursor: pointer; }
.error { color: var(--bad); font-size: 0.9375em; }
.error:empty { display: none; }
.actions { display: flex; flex-wrap: wrap; gap: var(--space); }
button { min-block-size: 2.25em; padding: calc(0.5 * var(--space)) calc(2 * var(--space)); border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); color: inherit; font: inherit; cursor: pointer; }
button:hover { background: var(--accent-soft); }
button[type="submit"] { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
:disabled { cursor: default; opacity: 0.6; }
.status { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .checked { outline: 2px solid Highlight; } }
`;

let sheet: CSSStyleSheet | undefined;

/** The style sheet that all elements share; a constructed one needs no permission of a content security policy. */
export function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}
