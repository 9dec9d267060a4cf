import { createHmac } from "node:crypto";
import { join } from "node:path";
import type { HostContext, Keys } from "basehost";
import type { Sandbox, SandboxPrice } from "card-sandbox";
import type { ProductConfig, StripeKeys } from "./product-config.ts";

/** Keys of the sandbox, derived from the install's secret, so that they stay the same at every start. */
export function sandboxKeys(keys: Keys): StripeKeys {
  const derive = (label: string) =>
    createHmac("sha256", keys.api.secretKey).update(label).digest("hex").slice(0, 32);
  return {
    secretKey: `sk_test_${derive("sandbox secret")}`,
    publishableKey: `pk_test_${derive("sandbox publishable")}`,
    webhookSecret: `whsec_${derive("sandbox webhook")}`,
  };
}

/** What each plan costs at a sandbox. */
export function sandboxPrices(ids: ProductConfig["prices"]): SandboxPrice[] {
  const price = (id: string, productName: string, amountPence: number): SandboxPrice => ({
    id,
    productName,
    amountPence,
    currency: "gbp",
    interval: "month",
  });
  return [
    price(ids["student-access"], "Student Access", 5000),
    price(ids["mentor-access"], "Mentor Access", 10_000),
  ];
}

/** Starts the offline card provider beside the host, with its data in the host's data folder. */
export async function openSandbox(
  context: HostContext,
  keys: StripeKeys,
  prices: ProductConfig["prices"],
): Promise<Sandbox> {
  // An install with a provider's keys never loads it.
  const { startSandbox } = await import("card-sandbox");
  return await startSandbox({
    dataFile: join(context.config.dataDir, "sandbox.json"),
    webhookUrl: `${context.localUrl}/functions/v1/stripe-webhook`,
    ...keys,
    publicBase: `${context.publicUrl}/sandbox/stripe`,
    prices: sandboxPrices(prices),
    log: context.log,
  });
}
