import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import { basicPrice, client, failure, openFixture, plusPrice } from "./testing/sandbox-fixture.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

/** A subscription whose card stands on it alone: the customer has no default. */
async function subscribe(): Promise<Stripe.Subscription> {
  const { id: customer } = await stripe.customers.create({});
  const method = await stripe.paymentMethods.attach("pm_card_visa", { customer });
  return await stripe.subscriptions.create({
    customer,
    items: [{ price: plusPrice }],
    default_payment_method: method.id,
  });
}

/** Plans the cheaper price for the next period. */
async function planBasic(
  subscription: Stripe.Subscription,
  more: Stripe.SubscriptionScheduleUpdateParams = {},
  inPhases: Partial<Stripe.SubscriptionScheduleUpdateParams.Phase> = {},
): Promise<Stripe.SubscriptionSchedule> {
  const { id } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  const [item] = subscription.items.data;
  return await stripe.subscriptionSchedules.update(id, {
    end_behavior: "release",
    phases: [
      {
        items: [{ price: plusPrice }],
        start_date: item?.current_period_start ?? 0,
        end_date: item?.current_period_end ?? 0,
        ...inPhases,
      },
      {
        items: [{ price: basicPrice }],
        duration: { interval: "month", interval_count: 1 },
        proration_behavior: "none",
        ...inPhases,
      },
    ],
    ...more,
  });
}

const nextMonth = async () => await sandbox.control.advance({ months: 1, hours: 1 });
const amounts = () => sandbox.control.charges().map(({ amount }) => amount);

async function stateOf({ id }: Stripe.Subscription) {
  const {
    status,
    schedule,
    items,
    default_payment_method: card,
  } = await stripe.subscriptions.retrieve(id);
  return { status, schedule, price: items.data[0]?.price.id, card };
}

describe("a schedule made from a subscription", () => {
  it("keeps its card and price in one phase, and only one schedule is made", async () => {
    const subscription = await subscribe();
    const schedule = await stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    });
    expect(schedule).toMatchObject({
      status: "active",
      default_settings: { default_payment_method: null },
      phases: [{ default_payment_method: subscription.default_payment_method }],
    });
    const again = stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    expect((await failure(again)).param).toBe("from_subscription");
    const end = stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect((await failure(end)).statusCode).toBe(400);
  });

  it("changes the price with the next period, and lets go after its last phase", async () => {
    const subscription = await subscribe();
    const card = expandableId(subscription.default_payment_method);
    const { id } = await planBasic(subscription, {
      default_settings: { default_payment_method: card },
    });
    await nextMonth();
    expect(await stateOf(subscription)).toEqual({
      status: "active",
      schedule: id,
      price: basicPrice,
      card,
    });
    await nextMonth();
    expect(await stateOf(subscription)).toEqual({
      status: "active",
      schedule: null,
      price: basicPrice,
      card,
    });
    expect((await stripe.subscriptionSchedules.retrieve(id)).status).toBe("released");
    expect(amounts()).toEqual([10_000, 5000, 5000]);
  });

  it("takes the promotion code of a phase when the phase starts", async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: "forever" });
    const code = await stripe.promotionCodes.create({ promotion: { type: "coupon", coupon } });
    const subscription = await subscribe();
    const { id } = await stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    });
    const [item] = subscription.items.data;
    await stripe.subscriptionSchedules.update(id, {
      phases: [
        {
          items: [{ price: plusPrice }],
          start_date: item?.current_period_start ?? 0,
          end_date: item?.current_period_end ?? 0,
        },
        {
          items: [{ price: plusPrice }],
          discounts: [{ promotion_code: code.id }],
          duration: { interval: "month", interval_count: 1 },
        },
      ],
    });
    expect((await stripe.promotionCodes.retrieve(code.id)).times_redeemed).toBe(0);
    await nextMonth();
    expect((await stripe.promotionCodes.retrieve(code.id)).times_redeemed).toBe(1);
    const { data } = await stripe.invoices.list({ subscription: subscription.id });
    expect(data.map(({ total }) => total)).toEqual([5000, 10_000]);
  });

  it("released or cancelled changes nothing later", async () => {
    const [kept, ended] = [await subscribe(), await subscribe()];
    const [first, second] = [await planBasic(kept), await planBasic(ended)];
    expect((await stripe.subscriptionSchedules.release(first.id)).status).toBe("released");
    expect((await failure(stripe.subscriptionSchedules.release(first.id))).statusCode).toBe(400);
    expect((await stripe.subscriptionSchedules.cancel(second.id)).status).toBe("canceled");
    expect(await stateOf(kept)).toMatchObject({ schedule: null, price: plusPrice });
    expect(await stateOf(ended)).toMatchObject({ status: "canceled" });
  });

  it("refuses a gap between its phases and a phase that ends before it starts", async () => {
    const subscription = await subscribe();
    const start = subscription.items.data[0]?.current_period_start ?? 0;
    const late = planBasic(subscription, {}, { start_date: start + 60 });
    expect((await failure(late)).param).toBe("phases[0][start_date]");
    const { schedule } = await stateOf(subscription);
    const early = stripe.subscriptionSchedules.update(expandableId(schedule), {
      phases: [{ items: [{ price: plusPrice }], start_date: start, end_date: start }],
    });
    expect((await failure(early)).param).toBe("phases[0][end_date]");
  });
});

describe("the card of a phase", () => {
  it("is none when neither phase, schedule nor customer names one: the renewal fails", async () => {
    const subscription = await subscribe();
    await planBasic(subscription);
    await nextMonth();
    expect(await stateOf(subscription)).toMatchObject({ status: "past_due", card: null });
    expect(amounts()).toEqual([10_000]);
  });

  it("is the customer's when schedule and phase name none", async () => {
    const subscription = await subscribe();
    await planBasic(subscription);
    await stripe.customers.update(expandableId(subscription.customer), {
      invoice_settings: {
        default_payment_method: expandableId(subscription.default_payment_method),
      },
    });
    await nextMonth();
    expect(await stateOf(subscription)).toMatchObject({ status: "active", card: null });
  });

  it("is that of the phase before that of the schedule", async () => {
    const subscription = await subscribe();
    const customer = expandableId(subscription.customer);
    const own = await stripe.paymentMethods.attach("pm_card_mastercard", { customer });
    await planBasic(
      subscription,
      {
        default_settings: {
          default_payment_method: expandableId(subscription.default_payment_method),
        },
      },
      { default_payment_method: own.id },
    );
    await nextMonth();
    expect(await stateOf(subscription)).toMatchObject({ status: "active", card: own.id });
  });

  it("that was changed on the subscription lasts until the next phase", async () => {
    const subscription = await subscribe();
    const first = expandableId(subscription.default_payment_method);
    const customer = expandableId(subscription.customer);
    await planBasic(subscription, { default_settings: { default_payment_method: first } });
    const other = await stripe.paymentMethods.attach("pm_card_mastercard", { customer });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: other.id });
    expect(await stateOf(subscription)).toMatchObject({ card: other.id });
    await nextMonth();
    expect(await stateOf(subscription)).toMatchObject({ card: first });
  });

  it("cannot be another customer's", async () => {
    const [mine, theirs] = [await subscribe(), await subscribe()];
    const default_payment_method = expandableId(theirs.default_payment_method);
    const stolen = planBasic(mine, { default_settings: { default_payment_method } });
    expect((await failure(stolen)).statusCode).toBe(400);
  });
});

describe("a schedule that ends its subscription", () => {
  it("shows the end, and is complete with it: nothing more is charged", async () => {
    const { id } = await subscribe();
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
    await stripe.subscriptionSchedules.update(schedule.id, { end_behavior: "cancel" });
    const held = await stripe.subscriptions.retrieve(id);
    expect(held).toMatchObject({
      cancel_at: held.items.data[0]?.current_period_end,
      cancel_at_period_end: false,
    });
    await sandbox.control.advance({ months: 2 });
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: "canceled" });
    expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
      status: "completed",
      subscription: null,
    });
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
  });

  it("lets it go on when that is taken back", async () => {
    const { id } = await subscribe();
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
    await stripe.subscriptionSchedules.update(schedule.id, { end_behavior: "cancel" });
    await stripe.subscriptionSchedules.update(schedule.id, { end_behavior: "release" });
    expect((await stripe.subscriptions.retrieve(id)).cancel_at).toBeNull();
    await sandbox.control.advance({ months: 1, hours: 2 });
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: "active" });
  });
});
