import { startSandbox, type Sandbox } from "card-sandbox";
import { mentorPlan, studentPlan } from "./billing.ts";
import { freePort } from "./spawn-product.ts";

const price = (id: string, productName: string, amountPence: number) =>
  ({ id, productName, amountPence, currency: "gbp", interval: "month" }) as const;

/** A card sandbox that runs by itself, as `npx card-sandbox` does. */
export interface SharedSandbox {
  sandbox: Sandbox;
  publishableKey: string;
  /** Settings of every host that uses it. */
  env: Readonly<Record<string, string>>;
  /** Port for the host that is told of events. */
  port: string;
}

export async function startSharedSandbox(): Promise<SharedSandbox> {
  const keys = {
    secretKey: "sk_test_shared",
    publishableKey: "pk_test_shared",
    webhookSecret: "whsec_shared",
  };
  const [port, providerPort] = [await freePort(), await freePort()];
  const sandbox = await startSandbox({
    ...keys,
    port: providerPort,
    publicBase: `http://127.0.0.1:${providerPort}`,
    webhookUrl: `http://127.0.0.1:${port}/functions/v1/stripe-webhook`,
    prices: [
      price(studentPlan, "Student Access", 5000),
      price(mentorPlan, "Mentor Access", 10_000),
    ],
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
