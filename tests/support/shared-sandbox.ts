import { startSandbox, type Sandbox } from "card-sandbox";
import { sandboxPrices } from "../../tools/sandbox.ts";
import { mentorPlan, studentPlan } from "./billing.ts";
import { freePort } from "./spawn-product.ts";

/** A card sandbox that runs by itself, as `npx card-sandbox` does. */
export interface SharedSandbox {
  sandbox: Sandbox;
  publishableKey: string;
  /** Settings of every host that uses it. */
  env: Readonly<Record<string, string>>;
  /** Port for the host that is told of events. */
  port: string;
}

/** @param hostPort of the host that is told of events; a free one unless given */
export async function startSharedSandbox(hostPort?: number): Promise<SharedSandbox> {
  const keys = {
    secretKey: "sk_test_shared",
    publishableKey: "pk_test_shared",
    webhookSecret: "whsec_shared",
  };
  const [port, providerPort] = [hostPort ?? (await freePort()), await freePort()];
  const sandbox = await startSandbox({
    ...keys,
    port: providerPort,
    publicBase: `http://127.0.0.1:${providerPort}`,
    webhookUrl: `http://127.0.0.1:${port}/functions/v1/stripe-webhook`,
    prices: sandboxPrices({ "student-access": studentPlan, "mentor-access": mentorPlan }),
  });
  return {
    sandbox,
    publishableKey: keys.publishableKey,
    env: {
      STRIPE_API_BASE: sandbox.apiBase,
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
      STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
    },
    port: String(port),
  };
}
