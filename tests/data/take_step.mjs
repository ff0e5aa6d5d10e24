// Takes a step of a session of the package: its effects or why it was refused, then view and snapshot.
export function takeStep(session, event) {
  const step = {};
  try {
    step.effects = session.step(event);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "StepError") throw error;
    step.refused = error.code;
  }
  step.view = session.view();
  step.snapshot = session.snapshot();
  return step;
}
