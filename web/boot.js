// Applies the stored theme and density before the first paint, then starts the page's WebAssembly module.
"use strict";
(() => {
  try {
    const theme = localStorage.getItem("wherefore-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    if (localStorage.getItem("wherefore-density") === "compact") document.documentElement.dataset.density = "compact";
  } catch {
    // Without local storage, the theme of the system applies.
  }

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
      message.textContent =
        "The page could not start. It needs a browser with WebAssembly and a connection to the server. Reload to try again.";
      document.body.append(message);
    }
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
