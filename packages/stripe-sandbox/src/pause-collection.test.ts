import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import { client, failure, openFixture } from "./testing/sandbox-fixture.ts";
import { createBasicSubscription } from "./testing/subscribe.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

// In days: a month from the 29th of January is no whole month after the 28th.
const nextMonth = async () => await sandbox.control.advance({ days: 31, hours: 2 });
const amounts = () => sandbox.control.charges().map(({ amount }) => amount);
const statuses = async (subscription: string) =>
  (await stripe.invoices.list({ subscription })).data.map(({ status }) => status);

describe("paused collection", () => {
  it.each([
    ["keep_as_draft", "draft"],
    ["mark_uncollectible", "uncollectible"],
    ["void", "void"],
  ] as const)(
    "with %s leaves renewals %s, charges nobody and goes on by itself",
    async (behavior, status) => {
      const { id, items } = await createBasicSubscription(stripe, "pm_card_visa");
      const resumes_at = (items.data[0]?.current_period_end ?? 0) + 40 * 86_400;
      const paused = await stripe.subscriptions.update(id, {
        pause_collection: { behavior, resumes_at },
      });
      expect(paused).toMatchObject({
        status: "active",
        pause_collection: { behavior, resumes_at },
      });
      await nextMonth();
      await nextMonth();
      expect(await statuses(id)).toEqual([status, status, "paid"]);
      expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
      await nextMonth();
      expect(await statuses(id)).toEqual(["paid", status, status, "paid"]);
      expect((await stripe.subscriptions.retrieve(id)).pause_collection).toBeNull();
      expect(amounts()).toEqual([5000, 5000]);
    },
  );

  it("is taken up again by hand, and a draft or uncollectible invoice can be paid then", async () => {
    const subscriptions = [];
    for (const behavior of ["keep_as_draft", "mark_uncollectible"] as const) {
      const { id } = await createBasicSubscription(stripe, "pm_card_visa");
      await stripe.subscriptions.update(id, { pause_collection: { behavior } });
      subscriptions.push(id);
    }
    await nextMonth();
    expect(amounts()).toEqual([5000, 5000]);
    for (const id of subscriptions) {
      const going = await stripe.subscriptions.update(id, { pause_collection: "" });
      expect(going.pause_collection).toBeNull();
      await stripe.invoices.pay(expandableId(going.latest_invoice));
      expect(await statuses(id)).toEqual(["paid", "paid"]);
    }
    expect(amounts()).toEqual([5000, 5000, 5000, 5000]);
  });

  it("taken up again with the anchor moved to now begins a whole period, charged at once", async () => {
    const { id } = await createBasicSubscription(stripe, "pm_card_visa");
    await stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });
    await nextMonth();
    await sandbox.control.advance({ days: 9 });
    const again = await stripe.subscriptions.update(id, {
      pause_collection: "",
      billing_cycle_anchor: { type: "now" },
      proration_behavior: "none",
    });
    expect(again).toMatchObject({ status: "active", pause_collection: null });
    expect(again.items.data[0]?.current_period_start).toBe(sandbox.control.now());
    expect(again.billing_cycle_anchor).toBe(sandbox.control.now());
    expect(await statuses(id)).toEqual(["paid", "void", "paid"]);
    expect(amounts()).toEqual([5000, 5000]);
    await nextMonth();
    expect(amounts()).toEqual([5000, 5000, 5000]);
    const moved = stripe.subscriptions.update(id, { billing_cycle_anchor: { type: "now" } });
    expect((await failure(moved)).param).toBe("billing_cycle_anchor");
  });

  it("uses no credit for an invoice that is void", async () => {
    const first = await createBasicSubscription(stripe, "pm_card_visa");
    await stripe.subscriptions.cancel(first.id, { prorate: true, invoice_now: true });
    const customer = expandableId(first.customer);
    const [item] = first.items.data;
    const { id } = await stripe.subscriptions.create({
      customer,
      items: [{ price: item?.price.id ?? "" }],
      trial_period_days: 3,
    });
    await stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });
    await sandbox.control.advance({ days: 4 });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -5000 });
  });

  it("does not stop the retries of an invoice from before, and cannot end in the past", async () => {
    const { id, customer } = await createBasicSubscription(stripe, "pm_card_visa");
    const failing = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", {
      customer: expandableId(customer),
    });
    await stripe.subscriptions.update(id, { default_payment_method: failing.id });
    await nextMonth();
    await stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });
    await sandbox.control.advance({ days: 4 });
    expect(sandbox.control.charges().map(({ status }) => status)).toEqual([
      "succeeded",
      "failed",
      "failed",
    ]);
    const late = { behavior: "void" as const, resumes_at: sandbox.control.now() - 1 };
    const refused = stripe.subscriptions.update(id, { pause_collection: late });
    expect((await failure(refused)).param).toBe("pause_collection[resumes_at]");
  });
});
