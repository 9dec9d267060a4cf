import { leaveNothingRunning } from "../../tools/leave-nothing.mjs";
import { prepareTestProduct, startTestProduct } from "../support/backend-setup.ts";
import { runningProductVariable } from "./support/running-product.ts";

/** Starts the product for the browser tests; what it returns stops it. */
export default async function startProductForBrowsers(): Promise<() => Promise<void>> {
  leaveNothingRunning();
  const removePrepared = await prepareTestProduct();
  const { running, sandbox, stop } = await startTestProduct();
  process.env[runningProductVariable] = JSON.stringify({ host: running, sandbox });
  return async () => {
    await stop();
    await removePrepared();
  };
}
