import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import Ask from "./ask.jsx";
import { catalog } from "./catalog.js";

createRoot(document.getElementById("app")).render(
  <StrictMode>
    <Ask catalog={catalog} />
  </StrictMode>,
);
