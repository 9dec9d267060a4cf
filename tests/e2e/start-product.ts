import { startTestProduct } from "../support/backend-setup.ts";
import { runningVariable } from "./support/running.ts";

/** Starts the product for the browser tests; what it returns stops it. */
export default async function startProductForBrowsers(): Promise<() => Promise<void>> {
  const { running, sandbox, stop } = await startTestProduct();
  process.env[runningVariable] = JSON.stringify({ host: running, sandbox });
  return stop;
}
