import { afterAll, beforeAll, expect, it } from "vitest";
import reconcile from "../../supabase/functions/billing-reconcile/handler.ts";
import deleteAccount from "../../supabase/functions/delete-my-account/handler.ts";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { OtherAccounts } from "../support/other-accounts.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { testPassword } from "../support/clients.ts";
import { freePort } from "../support/spawn-product.ts";

// A key of another account, a test key for a live one, and data restored to another time have this in common:
// the provider does not know our customers.
let billing: BillingFixture;
let stop: () => Promise<void>;
let members: Payer[];
let others: OtherAccounts;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  others = new OtherAccounts(billing, reconcile);
  members = [];
  for (let count = 0; count < 4; count += 1) members.push((await billing.member(studentPlan)).ada);
});
afterAll(async () => {
  await others.stop();
  await stop();
});

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
  const deps = await others.open("price_of_somebody_else");
  // Neither the events, the customers nor the balance are that account's.
  expect(await others.round(deps)).toMatchObject({ checked: 4, failed: 3 });
  expect(await areMembers()).toEqual([true, true, true, true]);
  expect(await billing.reconcile()).toMatchObject({ checked: 4, failed: 0 });
});

it("without an answer of the provider the round ends after three steps, not after everybody", async () => {
  const away = others.settings("sk_test_away", `http://127.0.0.1:${await freePort()}`);
  // The catalogue, the events and two of four customers; what is in the database alone was asked between them.
  expect(await others.round(away)).toMatchObject({ checked: 0, failed: 4 });
  expect(await areMembers()).toEqual([true, true, true, true]);
  expect(await billing.reconcile()).toMatchObject({ checked: 4, failed: 0 });
});

it("with the key of another account nobody's account is deleted while the subscription goes on", async () => {
  const deps = await others.open("price_of_somebody_else");
  const [ada] = members as [Payer];
  expect((await remove(ada, deps)).status).toBe(502);
  expect(await billing.isMember(ada)).toBe(true);
});

it("many customers missing from the right account are not dropped, a few are", async () => {
  const deps = await others.open(studentPlan);
  expect(await others.round(deps)).toMatchObject({ failed: 1 });
  expect(await areMembers()).toEqual([true, true, true, true]);
  await billing.sql("update public.stripe_customers set deleted_at = now() where user_id = $1", [
    members[3]?.id,
  ]);
  expect(await others.round(deps)).toMatchObject({ checked: 3, failed: 0 });
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
  const deps = await others.open(studentPlan);
  const { ada } = await billing.member(studentPlan);
  expect((await remove(ada, deps)).status).toBe(200);
  expect(await billing.sql("select 1 from auth.users where id = $1", [ada.id])).toEqual([]);
});
