// Applies the stored theme before the first paint, and says so if the page's script cannot be loaded.
"use strict";
(() => {
  try {
    const theme = localStorage.getItem("wherefore-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage, the theme of the system applies.
  }
  addEventListener(
    "error",
    (event) => {
      if (!(event.target instanceof HTMLScriptElement || event.target instanceof HTMLLinkElement)) return;
      const place = document.querySelector("#loading");
      if (!place) return;
      place.setAttribute("role", "alert");
      place.textContent = "A file of this page could not be loaded. Check the connection and reload.";
    },
    true,
  );
})();
