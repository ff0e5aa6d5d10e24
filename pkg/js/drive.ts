import type { Session } from "./engine.js";
import { WhereforeError } from "./errors.js";
import type { Host } from "./host.js";
import type { EffectRequest, EffectResult, ExecutionFailure, View } from "./wire.js";

/** Options of `drive`. */
export interface DriveOptions {
  /** Cancels the question. */
  signal?: AbortSignal | undefined;
  /** Called with the view before each effect is performed. */
  onView?: ((view: View) => void) | undefined;
}

/**
 * Performs the effects of a session until the question has ended or waits for an answer, and returns the view.
 *
 * Step the session first: `session.step({ type: "ask", text, today })`, then `await drive(session, host)`.
 */
export async function drive(session: Session, host: Host, options: DriveOptions = {}): Promise<View> {
  const signal = options.signal ?? new AbortController().signal;
  for (;;) {
    for (let effect = session.pending[0]; effect && !signal.aborted; effect = session.pending[0]) {
      options.onView?.(session.view());
      const result = await perform(effect.request, host, signal);
      // Another event may have replaced the effect meanwhile.
      if (!signal.aborted && session.pending.includes(effect)) give(session, effect.id, result);
    }
    if (signal.aborted && session.pending.length > 0) session.step({ type: "cancel" });
    const view = session.view();
    if (view.state !== "awaiting_clarification" || !host.clarify || signal.aborted) return view;
    const answers = await host.clarify(view.clarifications, view, signal);
    if (!answers?.length || signal.aborted) return session.view();
    session.step({ type: "answer", answers });
  }
}

/** Performs one effect; what the host throws becomes the result. */
async function perform(request: EffectRequest, host: Host, signal: AbortSignal): Promise<EffectResult> {
  try {
    switch (request.type) {
      case "look_up_values": {
        if (!host.values) return missing("values");
        const found = [];
        for (const search of request.searches) found.push({ search, values: await host.values(search, signal) });
        return { type: "values", found };
      }
      case "execute": {
        if (!host.run) return missing("run");
        const { sql, dialect, row_limit } = request;
        return { type: "rows", rows: await host.run({ sql, dialect, row_limit }, signal) };
      }
      case "write":
        if (!host.write) return missing("write");
        return { type: "written", written: await host.write(request.brief, signal) };
      default:
        return failed("effect_unknown", "this version of the package does not know the requested effect");
    }
  } catch (thrown) {
    const { code, message, retryable } = Object(thrown) as Partial<ExecutionFailure>;
    return failed(
      typeof code === "string" ? code : "host_failed",
      typeof message === "string" ? message : String(thrown),
      retryable === true,
    );
  }
}

/** Gives a result to the session; one of another shape becomes a failure, so that the session can go on. */
function give(session: Session, effect_id: number, result: EffectResult): void {
  try {
    session.step({ type: "effect_result", effect_id, result });
  } catch (thrown) {
    if (!(thrown instanceof WhereforeError) || thrown.code !== "invalid_event") throw thrown;
    const message = `the host returned a result of another shape: ${thrown.message}`;
    const failure = failed("host_result_invalid", message);
    session.step({ type: "effect_result", effect_id, result: failure });
  }
}

function missing(name: keyof Host): EffectResult {
  return failed("host_function_missing", `this app has no function ${name}`);
}

function failed(code: string, message: string, retryable = false): EffectResult {
  return { type: "failed", failure: { code, message, retryable } };
}
