import "../../../web/styles/theme.css";
import "../../../web/styles/base.css";
import "../../../web/styles/answer.css";
import "../../../web/styles/clarification.css";
import "./page.css";
