import { useState } from "react";

const KEY = "wherefore-theme";
const THEMES = ["auto", "light", "dark"];

/** Choice of the colours. */
export function Theme() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? "auto");
  const choose = (next: string) => {
    setTheme(next);
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Then it applies to this visit only.
    }
  };
  return (
    <label className="theme">
      <span className="visually-hidden">Theme</span>
      <select value={theme} onChange={(event) => choose(event.target.value)}>
        {THEMES.map((it) => (
          <option key={it} value={it}>
            {it === "auto" ? "Theme: auto" : `Theme: ${it}`}
          </option>
        ))}
      </select>
    </label>
  );
}
