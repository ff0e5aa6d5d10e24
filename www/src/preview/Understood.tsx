import type { Assumption, MentionView, Understanding } from "wherefore";

const KINDS: Partial<Record<MentionView["kind"], string>> = {
  table: "mark-table",
  column: "mark-column",
  value: "mark-value",
  time: "mark-time",
  vague_term: "mark-open",
};

/** What each phrase of the question was taken to mean, and what was assumed. */
export function Understood({
  understanding,
  assumptions,
  text,
}: {
  understanding: Understanding;
  assumptions: readonly Assumption[];
  text: string;
}) {
  const { mentions, unread, confidence } = understanding;
  const percent = Math.round(confidence.overall * 100);
  return (
    <section className="pane" aria-label="What was understood">
      <div className="pane-head">
        <h2>Understood</h2>
        <label className="meter">
          <span>{percent} %</span>
          <meter min={0} max={100} low={60} high={75} optimum={100} value={percent}>
            {percent} %
          </meter>
        </label>
      </div>
      {mentions.length > 0 && (
        <table className="mentions">
          <thead>
            <tr>
              <th scope="col">Words</th>
              <th scope="col">Meaning</th>
              <th scope="col">Because</th>
            </tr>
          </thead>
          <tbody>
            {mentions.map((mention) => (
              <tr key={`${mention.span.start}-${mention.kind}`}>
                <th scope="row">
                  <span className={`mark ${KINDS[mention.kind] ?? ""}`}>{mention.phrase}</span>
                </th>
                <td>{mention.meaning}</td>
                <td className="muted">{mention.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {unread.length > 0 && (
        <p>
          Not understood:{" "}
          {unread.map(({ start, end }) => (
            <span className="chip chip-unread" key={start}>
              {text.slice(start, end)}
            </span>
          ))}
        </p>
      )}
      {assumptions.length > 0 && (
        <>
          <h3>Assumed</h3>
          <ul className="assumed">
            {assumptions.map((assumption, index) => (
              <li key={index}>
                “{assumption.phrase}”: {assumption.meaning}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
