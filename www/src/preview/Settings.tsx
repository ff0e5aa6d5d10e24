import type { Settings } from "wherefore";
import type { Model } from "./model.js";

interface Field {
  name: keyof Settings;
  label: string;
  standard: number;
  minimum: number;
  maximum: number;
  step: number;
}

const FIELDS: Field[] = [
  { name: "ask_below", label: "Ask below a confidence of", standard: 0.1, minimum: 0, maximum: 1, step: 0.05 },
  { name: "intent_below", label: "Ask for the intent below", standard: 0.6, minimum: 0, maximum: 1, step: 0.05 },
  { name: "run_above", label: "Collapse assumptions above", standard: 0.85, minimum: 0, maximum: 1, step: 0.05 },
  { name: "rival_gap", label: "Ask between meanings closer than", standard: 0.1, minimum: 0, maximum: 1, step: 0.05 },
  { name: "questions_per_round", label: "Questions in a round", standard: 3, minimum: 1, maximum: 10, step: 1 },
  { name: "rounds", label: "Rounds", standard: 2, minimum: 0, maximum: 10, step: 1 },
  { name: "row_limit", label: "Rows of an answer", standard: 1000, minimum: 1, maximum: 100_000, step: 1 },
  { name: "fiscal_year_start", label: "First month of the fiscal year", standard: 1, minimum: 1, maximum: 12, step: 1 },
];

/** Thresholds and limits of the engine. */
export function SettingsPanel({ model, settings }: { model: Model; settings: Settings }) {
  const set = (name: keyof Settings, value: number | boolean, standard: number | boolean) => {
    const { [name]: _old, ...rest } = settings;
    model.configure(value === standard ? rest : { ...rest, [name]: value });
  };
  return (
    <section className="pane" aria-label="Settings">
      <h2>Settings</h2>
      <label className="check">
        <input
          type="checkbox"
          checked={settings.enable_clarification ?? true}
          onChange={(event) => set("enable_clarification", event.target.checked, true)}
        />
        Ask when something is open
      </label>
      <div className="settings">
        {FIELDS.map(({ name, label, standard, minimum, maximum, step }) => (
          <label className="setting" key={name}>
            {label}
            <input
              type="number"
              min={minimum}
              max={maximum}
              step={step}
              value={Number(settings[name] ?? standard)}
              onChange={(event) => {
                const value = event.target.valueAsNumber;
                if (value >= minimum && value <= maximum) set(name, value, standard);
              }}
            />
          </label>
        ))}
      </div>
    </section>
  );
}
