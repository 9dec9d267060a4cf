import { startTestProduct } from "./backend-setup.ts";
import { BillingFixture } from "./billing.ts";

/** Billing over a product of its own, for tests that pause webhooks, move the clock or change prices. */
export async function startOwnBilling(): Promise<{
  billing: BillingFixture;
  stop: () => Promise<void>;
}> {
  const { running, sandbox, stop } = await startTestProduct();
  const billing = new BillingFixture(running, sandbox);
  return {
    billing,
    stop: async () => {
      await billing.close();
      await stop();
    },
  };
}
