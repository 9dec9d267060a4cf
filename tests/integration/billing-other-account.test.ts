import { randomBytes } from "node:crypto";
import { startSandbox, type Sandbox } from "card-sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import reconcile from "../../supabase/functions/billing-reconcile/handler.ts";
import deleteAccount from "../../supabase/functions/delete-my-account/handler.ts";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { testPassword } from "../support/clients.ts";

// A key of another account, a test key for a live one, and data restored to another time have this in common:
// the provider does not know our customers.
let billing: BillingFixture;
let stop: () => Promise<void>;
let members: Payer[];
const accounts: Sandbox[] = [];
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  members = [];
  for (let count = 0; count < 4; count += 1) members.push((await billing.member(studentPlan)).ada);
});
afterAll(async () => {
  for (const account of accounts) await account.stop();
  await stop();
});

/** Another account at the provider with a price of this id, and the settings that lead there. */
async function otherAccount(priceId: string): Promise<{ env: Record<string, string> }> {
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
  accounts.push(account);
  return {
    env: {
      SUPABASE_URL: billing.host.url,
      SUPABASE_ANON_KEY: billing.host.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: billing.host.serviceRoleKey,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_API_BASE: account.apiBase,
    },
  };
}

async function round(deps: { env: Record<string, string> }): Promise<Record<string, unknown>> {
  const answer = await reconcile(
    new Request("http://localhost/billing-reconcile", {
      method: "POST",
      headers: { authorization: `Bearer ${billing.host.serviceRoleKey}` },
      body: JSON.stringify({ everybody: true, batch: 1000 }),
    }),
    deps,
  );
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

async function remove({ client }: Payer, deps: { env: Record<string, string> }): Promise<Response> {
  const { data } = await client.auth.getSession();
  return await deleteAccount(
    new Request("http://localhost/delete-my-account", {
      method: "POST",
      headers: { authorization: `Bearer ${data.session?.access_token}` },
      body: JSON.stringify({ password: testPassword }),
    }),
    deps,
  );
}

const areMembers = async () =>
  await Promise.all(members.map(async (member) => await billing.isMember(member)));

it("with the key of another account nobody loses a membership, and the round says that it failed", async () => {
  const deps = await otherAccount("price_of_somebody_else");
  // Neither the customers nor the balance are that account's.
  expect(await round(deps)).toMatchObject({ checked: 4, failed: 2 });
  expect(await areMembers()).toEqual([true, true, true, true]);
  expect(await billing.reconcile()).toMatchObject({ checked: 4, failed: 0 });
});

it("with the key of another account nobody's account is deleted while the subscription goes on", async () => {
  const deps = await otherAccount("price_of_somebody_else");
  const [ada] = members as [Payer];
  expect((await remove(ada, deps)).status).toBe(502);
  expect(await billing.isMember(ada)).toBe(true);
});

it("many customers missing from the right account are not dropped, a few are", async () => {
  const deps = await otherAccount(studentPlan);
  expect(await round(deps)).toMatchObject({ failed: 1 });
  expect(await areMembers()).toEqual([true, true, true, true]);
  await billing.sql("update public.stripe_customers set deleted_at = now() where user_id = $1", [
    members[3]?.id,
  ]);
  expect(await round(deps)).toMatchObject({ checked: 3, failed: 0 });
  expect(await areMembers()).toEqual([false, false, false, false]);
});

it("what was dropped comes back by itself once the right account answers again", async () => {
  expect(await areMembers()).toEqual([false, false, false, false]);
  const [ada, ben] = members as [Payer, Payer];
  // Ben has bought anew meanwhile, and pays twice now.
  await billing.pay(ben, studentPlan);
  expect(await billing.reconcile()).toMatchObject({ failed: 0, flagged: 1 });
  expect(await areMembers()).toEqual([true, true, true, true]);
  const flags = "select user_id, reason from private.account_flags where user_id = any ($1)";
  expect(await billing.sql(flags, [members.map(({ id }) => id)])).toEqual([
    { user_id: ben.id, reason: "several_subscriptions" },
  ]);
  // Who was deleted at the provider stays dropped.
  await billing.stripe.customers.del(await billing.customerId(ada));
  await billing.deliverWebhooks();
  expect(await billing.reconcile()).toMatchObject({ failed: 0 });
  expect(await billing.isMember(ada)).toBe(false);
});

it("an account is deleted whose customer and subscription the right account does not know", async () => {
  const deps = await otherAccount(studentPlan);
  const { ada } = await billing.member(studentPlan);
  expect((await remove(ada, deps)).status).toBe(200);
  expect(await billing.sql("select 1 from auth.users where id = $1", [ada.id])).toEqual([]);
});
