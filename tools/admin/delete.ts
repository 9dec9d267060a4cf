import { BootError, Keys, type HostConfig } from "basehost";
import { findUserByEmail } from "basehost/accounts";
import { resolveSecrets } from "basehost/database";
import { eraseAccount } from "../../supabase/functions/_shared/account/erase-account.ts";
import { isStripeError } from "../../supabase/functions/_shared/billing/stripe-client.ts";
import type { Deps } from "../../supabase/functions/_shared/deps.ts";
import { FunctionError } from "../../supabase/functions/_shared/http/responses.ts";
import { readProductConfig } from "../product-config.ts";
import type { AdminCall, AdminCommand } from "./command.ts";

/** The running product as functions know it. Files are removed and accounts deleted through its API, as for members. */
async function runningProduct({ config, env }: Pick<AdminCall, "config" | "env">): Promise<Deps> {
  const { stripe } = readProductConfig(env);
  if (stripe === undefined) {
    throw new BootError(
      "This install uses the card sandbox, which no command reaches: delete the account in the app, under Account.",
    );
  }
  const url = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`;
  const answer = await fetch(`${url}/healthz`).catch(() => undefined);
  if (answer?.ok !== true)
    throw new BootError(`The product has to run for this, and ${url} does not answer.`);
  const base = env["STRIPE_API_BASE"];
  return {
    env: {
      SUPABASE_URL: url,
      SUPABASE_SERVICE_ROLE_KEY: await serviceRoleKey(config),
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      ...(base !== undefined && { STRIPE_API_BASE: base }),
    },
  };
}

async function serviceRoleKey(config: HostConfig): Promise<string> {
  const secrets = await resolveSecrets(config);
  // Keys are derived from the secrets alone; no token is checked here.
  const issuers = { accepts: async () => await Promise.resolve(false) };
  const { serviceRoleKey: given } = config;
  const { api } = await Keys.create({
    ...secrets,
    serviceRoleKey: given,
    issuers,
    now: Date.now,
  });
  return api.serviceRoleKey;
}

const refusals: Readonly<Record<string, (email: string) => string>> = {
  administrator: (email) => `${email} is an administrator: npm run admin -- remove ${email} first.`,
  refund_owed: (email) =>
    `${email} was promised a refund that the card provider has not taken yet. It is tried again by itself: type the command again once it is made, or pay it in another way and add --owed-is-paid.`,
};

/** `npm run admin -- delete EMAIL --yes`: as the member's own “Delete my account”, without the password. */
export const deletePerson: AdminCommand = async (call) => {
  const { email, isConfirmed, isOwedPaid, withDatabase } = call;
  const account = await withDatabase(async (pool) => await findUserByEmail(pool, email));
  if (!account) throw new BootError(`There is no account ${email}.`);
  if (!isConfirmed) {
    throw new BootError(
      `This ends the payments of ${email} and deletes the account with everything in it, for good. Add --yes to do it.`,
    );
  }
  const deps = await runningProduct(call);
  try {
    await eraseAccount(deps, { id: account.id, email }, { isOwedPaid });
  } catch (error) {
    if (isStripeError(error))
      throw new BootError(
        `${email} is not deleted yet, because the card provider said: ${(error as Error).message}. Type the command again; it goes on where it stopped.`,
      );
    if (!(error instanceof FunctionError)) throw error;
    throw new BootError(
      refusals[error.code]?.(email) ?? `${email} was not deleted: ${error.message}`,
    );
  }
  return `${email} is deleted: account, rows, files and subscriptions. Backups hold it until they are deleted.`;
};
