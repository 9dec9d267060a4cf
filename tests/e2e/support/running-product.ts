import type { RunningHost, RunningSandbox } from "../../support/running.ts";

/** Environment variable that tells the worker processes how to reach the product. */
export const runningProductVariable = "FOURFOLD_UNDER_TEST";

/** The product under test, as the run's setup described it. */
export function running(): { host: RunningHost; sandbox: RunningSandbox } {
  const text = process.env[runningProductVariable];
  if (text === undefined) throw new Error("the browser tests start through playwright.config.ts");
  return JSON.parse(text) as { host: RunningHost; sandbox: RunningSandbox };
}
