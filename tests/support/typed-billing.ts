import { BillingFixture } from "./billing.ts";
import type { SharedSandbox } from "./shared-sandbox.ts";
import type { TypedInstall } from "./typed-install.ts";

/**
 * Billing at a typed install, whose `.env` has the settings of a sandbox that runs by itself. Without a password of the
 * database: members' own clients read what was sold.
 */
export async function billingAt(
  install: TypedInstall,
  { sandbox, publishableKey, env }: SharedSandbox,
): Promise<BillingFixture> {
  const anonKey = await install.setting("SUPABASE_ANON_KEY");
  const { apiBase } = sandbox;
  const secretKey = env["STRIPE_SECRET_KEY"] ?? "";
  const keys = { publishableKey, secretKey, webhookSecret: env["STRIPE_WEBHOOK_SECRET"] ?? "" };
  const database = { serviceRoleKey: "", jwtSecret: "", databaseUrl: "", dataDir: "" };
  return new BillingFixture(
    { url: install.url, anonKey, ...database, ...keys },
    { apiBase, controlBase: `${apiBase}/control`, ...keys },
  );
}
