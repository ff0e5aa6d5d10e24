import { isSession, type Session } from "./engine.js";
import { asWhereforeError, check, typed, WhereforeError } from "./errors.js";
import type { Host } from "./host.js";
import type { ClarificationAnswer, Effect, EffectRequest, EffectResult, ExecutionFailure, View } from "./wire.js";

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
  if (!isSession(session)) {
    const message = "session must be a Session of this copy of the package";
    throw new WhereforeError("ArgumentError", "invalid_argument", message);
  }
  check(host, "host", "object");
  check(options, "options", "object");
  const { onView, signal = new AbortController().signal } = typed(() => ({ ...options }));
  check(onView, "onView", "function", true);
  check(
    typed(() => signal?.addEventListener),
    "addEventListener of signal",
    "function",
  );
  for (;;) {
    for (let effect = session.pending[0]; effect; effect = session.pending[0]) {
      onView?.(session.view());
      if (signal.aborted) return cancel(session, effect);
      const result = await untilAborted(perform(effect.request, host, signal), signal);
      if (result === undefined) return cancel(session, effect);
      // Another event may have replaced the effect meanwhile.
      if (session.pending.includes(effect)) give(session, effect.id, result);
    }
    const view = session.view();
    if (view.outcome !== "needs_clarification" || !typed(() => host.clarify) || signal.aborted) return view;
    const answers = await untilAborted(clarify(host, view, signal), signal);
    if (!answers?.length || signal.aborted) return session.view();
    session.step({ type: "answer", answers });
  }
}

/** Lets the host answer; what it throws becomes a `HostError`. */
async function clarify(host: Host, view: View, signal: AbortSignal): Promise<ClarificationAnswer[] | undefined> {
  try {
    check(host.clarify, "clarify of the host", "function");
    return (await host.clarify?.(view.clarifications, view, signal)) ?? undefined;
  } catch (thrown) {
    const error = asWhereforeError(thrown);
    if (error === thrown) throw error;
    const { message } = error;
    throw new WhereforeError("HostError", "host_failed", message || "clarify failed", { cause: thrown });
  }
}

/** Cancels the question, unless another event has replaced the effect: that event has a `drive` of its own. */
function cancel(session: Session, effect: Effect): View {
  if (session.pending.includes(effect)) session.step({ type: "cancel" });
  return session.view();
}

/** The result of a promise, or `undefined` once the signal is aborted: a host need not heed the signal. */
async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let stop: (() => void) | undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    if (stop) signal.removeEventListener("abort", stop);
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
    return failureOf(thrown);
  }
}

function failureOf(thrown: unknown): EffectResult {
  try {
    const { code, message, retryable } = Object(thrown) as Partial<ExecutionFailure>;
    return failed(
      typeof code === "string" ? code : "host_failed",
      typeof message === "string" ? message : String(thrown),
      retryable === true,
    );
  } catch {
    return failed("host_failed", "what the host threw cannot be read");
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
