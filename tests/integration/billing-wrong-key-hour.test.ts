import { afterAll, beforeAll, expect, it } from "vitest";
import reconcile from "../../supabase/functions/billing-reconcile/handler.ts";
import cancelSubscription from "../../supabase/functions/stripe-cancel-subscription/handler.ts";
import createCustomer from "../../supabase/functions/create-stripe-customer/handler.ts";
import handleWebhook from "../../supabase/functions/stripe-webhook/handler.ts";
import pay from "../../supabase/functions/stripe-create-subscription-direct/handler.ts";
import {
  mentorPlan,
  studentPlan,
  type BillingEvent,
  type BillingFixture,
  type Payer,
} from "../support/billing.ts";
import { auditedActs, billingState, dumpBilling, emailCauses } from "../support/billing-state.ts";
import { OtherAccounts } from "../support/other-accounts.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { timeLimitMs } from "../support/time-limits.ts";

// An hour has twelve rounds of the reconciliation. Here each of them looks at everybody, and everything else goes on.
const memberCount = 24;
let billing: BillingFixture;
let stop: () => Promise<void>;
let others: OtherAccounts;
const members: Payer[] = [];
let newcomer: Payer;

beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  others = new OtherAccounts(billing, reconcile);
  for (let count = 0; count < memberCount; count += 1) {
    const member = await billing.payer();
    await billing.pay(member, count % 3 === 0 ? mentorPlan : studentPlan);
    members.push(member);
  }
  await billing.deliverWebhooks();
  newcomer = await billing.payer();
}, timeLimitMs(180));
afterAll(async () => {
  await others.stop();
  await stop();
});

interface Settings {
  readonly env: Record<string, string>;
}

/** Calls a function with the settings of the hour, as the product would. @returns its status. */
async function call(
  handler: (request: Request, deps: Settings) => Promise<Response>,
  settings: Settings,
  { client }: Payer,
  body: object,
): Promise<number> {
  const { data } = await client.auth.getSession();
  const request = new Request("http://localhost/function", {
    method: "POST",
    headers: { authorization: `Bearer ${data.session?.access_token ?? ""}` },
    body: JSON.stringify(body),
  });
  return (await handler(request, settings)).status;
}

/** Delivers an event with the settings of the hour. @returns the status, by which the provider knows whether to send it again. */
async function deliver(settings: Settings, event: BillingEvent): Promise<number> {
  const payload = JSON.stringify(event);
  const { webhookSecret: secret } = billing.sandbox;
  const signature = await billing.stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
  });
  const headers = { "stripe-signature": signature };
  const request = new Request("http://localhost/stripe-webhook", {
    method: "POST",
    headers,
    body: payload,
  });
  return (await handleWebhook(request, settings)).status;
}

const providerEvents = async () =>
  (await billing.control("/events"))["data"] as readonly BillingEvent[];
const isMemberOf = async () =>
  await Promise.all(members.map(async (member) => await billing.isMember(member)));

it(
  "an hour with wrong keys takes nothing from anybody, and the right one finds all as it was",
  { timeout: timeLimitMs(240) },
  async () => {
    expect(await billing.reconcile()).toMatchObject({ checked: memberCount, failed: 0 });
    // VAT is switched on, whose rate is made at the provider when it is first needed.
    await billing.sql(
      "insert into public.vat_settings (mode, rate_basis_points) values ('fixed', 2000)",
    );
    const before = await dumpBilling(billing);
    const known = (await providerEvents()).length;
    const [leaving, refunded, renewing] = members as [Payer, Payer, Payer];
    await billing.control("/webhooks/pause", {});
    // What happens meanwhile at the right account, where the events of it come from.
    const customer = await billing.customerId(refunded);
    const [charge] = (await billing.stripe.charges.list({ customer })).data;
    await billing.stripe.refunds.create({ charge: charge?.id ?? "", amount: 1000 });
    const { subscription_id: id } = (await billing.subscription(renewing)) ?? {};
    await billing.stripe.subscriptions.update(String(id), { cancel_at_period_end: true });
    const missed = (await providerEvents()).slice(known);
    expect(missed.length).toBeGreaterThan(2);

    const wrong = [
      await others.open("price_of_somebody_else"),
      others.settings("sk_test_that_was_never_made"),
    ];
    for (let round = 0; round < 12; round += 1) {
      const settings = wrong[round % wrong.length] ?? others.settings("");
      expect(await others.round(settings)).toMatchObject({ failed: expect.any(Number) });
      for (const event of missed) {
        const isNeeded = /^(?:charge\.refunded|refund|customer\.subscription)/.test(event.type);
        const status = await deliver(settings, event);
        if (isNeeded) expect(status, event.type).toBeGreaterThanOrEqual(500);
      }
      const { subscription_id: theirs } = (await billing.subscription(leaving)) ?? {};
      const cancelling = { subscription_id: theirs };
      expect(await call(cancelSubscription, settings, leaving, cancelling)).toBe(502);
      expect(await call(createCustomer, settings, newcomer, {})).toBe(502);
      const purchase = {
        price_id: studentPlan,
        payment_method_id: "pm_card_visa",
        terms_version: 1,
      };
      expect(await call(pay, settings, newcomer, purchase)).toBeGreaterThanOrEqual(500);
      expect(await isMemberOf(), `round ${String(round)}`).not.toContain(false);
    }
    const after = await dumpBilling(billing);
    expect(billingState(after)).toEqual(billingState(before));
    expect(emailCauses(after)).toEqual(emailCauses(before));
    expect(auditedActs(after)).toEqual(auditedActs(before));
    expect(await billing.sql("select from private.provider_tax_rates")).toEqual([]);

    // The right key: what was not delivered comes again, and nothing else has changed.
    await billing.control("/webhooks/resume", {});
    expect(await billing.reconcile()).toMatchObject({ checked: memberCount, failed: 0 });
    expect(await isMemberOf()).not.toContain(false);
    expect((await billing.subscription(renewing))?.["cancel_at_period_end"]).toBe(true);
    expect((await billing.subscription(leaving))?.["cancel_at_period_end"]).toBe(false);
    const refunds = "select amount::integer from private.payment_records where kind = 'refund'";
    expect(await billing.sql(refunds)).toEqual([{ amount: 1000 }]);
    const settled = await dumpBilling(billing);
    const changed = (dump: typeof before) =>
      (dump["public.stripe_subscriptions"] ?? []).filter(
        ({ cancel_at_period_end }) => cancel_at_period_end === true,
      ).length;
    expect([changed(before), changed(settled)]).toEqual([0, 1]);
    expect(settled["public.stripe_customers"]).toHaveLength(memberCount);
    // A newcomer of that hour buys, and everybody leaves as if nothing had been.
    expect((await billing.pay(newcomer, studentPlan)).status).toBe(200);
    const bought = (await billing.subscription(newcomer))?.["subscription_id"];
    const held = await billing.stripe.subscriptions.retrieve(String(bought));
    expect(held.default_tax_rates).toHaveLength(1);
    const { subscription_id: theirs } = (await billing.subscription(leaving)) ?? {};
    const cancelling = { subscription_id: theirs };
    expect(
      (await billing.call(leaving.client, "stripe-cancel-subscription", cancelling)).status,
    ).toBe(200);
  },
);
