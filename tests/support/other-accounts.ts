import { randomBytes } from "node:crypto";
import { startSandbox, type Sandbox } from "card-sandbox";
import type { BillingFixture } from "./billing.ts";

/** Settings that lead to another account, as a wrong key does. */
interface Settings {
  readonly env: Record<string, string>;
}

type Handler = (request: Request, settings: Settings) => Promise<Response>;

/** Other accounts at the provider, which know none of our customers. */
export class OtherAccounts {
  readonly #billing: BillingFixture;
  readonly #reconcile: Handler;
  readonly #accounts: Sandbox[] = [];

  constructor(billing: BillingFixture, reconcile: Handler) {
    this.#billing = billing;
    this.#reconcile = reconcile;
  }

  async stop(): Promise<void> {
    for (const account of this.#accounts) await account.stop();
  }

  /** The settings of this product with a key and an address of the provider. */
  settings(secretKey: string, apiBase = this.#billing.sandbox.apiBase): Settings {
    return {
      env: {
        SUPABASE_URL: this.#billing.host.url,
        SUPABASE_ANON_KEY: this.#billing.host.anonKey,
        SUPABASE_SERVICE_ROLE_KEY: this.#billing.host.serviceRoleKey,
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_WEBHOOK_SECRET: this.#billing.sandbox.webhookSecret,
        STRIPE_API_BASE: apiBase,
      },
    };
  }

  /** Another account with a price of this id, and the settings that lead there. */
  async open(priceId: string): Promise<Settings> {
    const key = () => randomBytes(12).toString("hex");
    const secretKey = `sk_test_${key()}`;
    const account = await startSandbox({
      secretKey,
      publishableKey: `pk_test_${key()}`,
      webhookSecret: `whsec_${key()}`,
      publicBase: "http://127.0.0.1:3000/sandbox/stripe",
      prices: [
        {
          id: priceId,
          productName: "Student Access",
          amountPence: 5000,
          currency: "gbp",
          interval: "month",
        },
      ],
    });
    this.#accounts.push(account);
    return this.settings(secretKey, account.apiBase);
  }

  /** A round of the reconciliation over everybody with these settings. */
  async round(settings: Settings): Promise<Record<string, unknown>> {
    const answer = await this.#reconcile(
      new Request("http://localhost/billing-reconcile", {
        method: "POST",
        headers: { authorization: `Bearer ${this.#billing.host.serviceRoleKey}` },
        body: JSON.stringify({ everybody: true, batch: 1000 }),
      }),
      settings,
    );
    if (answer.status !== 200) throw new Error(`the round answered ${answer.status}`);
    return (await answer.json()) as Record<string, unknown>;
  }
}
