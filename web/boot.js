// Applies the stored theme, density and language before the first paint, then starts the page's WebAssembly module.
"use strict";
(() => {
  const FAILURES = {
    en: "The page could not start. It needs a browser with WebAssembly and a connection to the server. Reload to try again.",
    de: "Die Seite konnte nicht starten. Sie braucht einen Browser mit WebAssembly und eine Verbindung zum Server. Laden Sie die Seite neu, um es noch einmal zu versuchen.",
  };
  let language;
  try {
    const theme = localStorage.getItem("wherefore-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    language = localStorage.getItem("wherefore-language");
    if (localStorage.getItem("wherefore-density") === "compact") document.documentElement.dataset.density = "compact";
  } catch {
    // Without local storage, theme and language of the system apply.
  }
  // The module chooses anew, as the address may name a language for trials.
  const wanted = [language, ...navigator.languages].map((tag) => tag?.split("-")[0]);
  language = wanted.find((tag) => Object.hasOwn(FAILURES, tag ?? "")) ?? "en";
  document.documentElement.lang = language;

  const content = (name) => document.querySelector(`meta[name="${name}"]`).content;

  async function start() {
    try {
      const module = await import(content("wherefore-module"));
      await module.default({ module_or_path: content("wherefore-wasm") });
    } catch (error) {
      console.error(error);
      const message = document.createElement("p");
      message.className = "boot-failure";
      message.setAttribute("role", "alert");
      message.textContent = FAILURES[language];
      document.body.append(message);
    }
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
