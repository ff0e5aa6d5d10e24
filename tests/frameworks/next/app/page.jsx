import { Engine, init } from "wherefore";
import { catalog } from "./catalog.js";
import Ask from "./ask.jsx";

export const dynamic = "force-dynamic";

/** Previews a question on the server, and asks another one in the browser. */
export default async function Page() {
  await init();
  const { sql } = Engine.create({ catalog }).preview("how many orders", "2026-11-20");
  return (
    <main>
      <pre id="preview">{sql}</pre>
      <Ask catalog={catalog} />
    </main>
  );
}
