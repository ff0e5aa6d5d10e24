import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../../web/styles/theme.css";
import "../../web/styles/base.css";
import "../../web/styles/answer.css";
import "../../web/styles/clarification.css";
import "./styles/page.css";
import "./styles/preview.css";
import { App } from "./preview/App.js";
import { Model } from "./preview/model.js";
import { register } from "./pwa/worker.js";

const model = new Model();
void model.start();
addEventListener("hashchange", () => void model.openLink(location.hash));
createRoot(document.querySelector("#app")!).render(
  <StrictMode>
    <App model={model} />
  </StrictMode>,
);
void register();
