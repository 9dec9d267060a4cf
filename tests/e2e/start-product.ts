import { startTestProduct } from "../support/backend-setup.ts";

/** Environment variable that carries what tests need to know of the product to the workers. */
export const runningProductVariable = "FOURFOLD_UNDER_TEST";

/** Starts the product for the browser tests; what it returns stops it. */
export default async function startProductForBrowsers(): Promise<() => Promise<void>> {
  const { running, sandbox, stop } = await startTestProduct();
  process.env[runningProductVariable] = JSON.stringify({ host: running, sandbox });
  return stop;
}
