import type { Clarification, Preview, Settings } from "wherefore";

/** What a session would ask: a preview lists what is open, whether asking is switched off or not. */
export function askedIn(preview: Preview | undefined, settings: Settings): readonly Clarification[] {
  if (settings.enable_clarification === false || settings.rounds === 0) return [];
  return preview?.clarifications ?? [];
}
