import type { RunningHost, RunningSandbox } from "../../support/running.ts";
import { runningProductVariable } from "../start-product.ts";

/** The product under test, as the run's setup described it. */
export function running(): { host: RunningHost; sandbox: RunningSandbox } {
  const text = process.env[runningProductVariable];
  if (text === undefined) throw new Error("the browser tests start through playwright.config.ts");
  return JSON.parse(text) as { host: RunningHost; sandbox: RunningSandbox };
}
