import type { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import { endsWithPeriod, idOf, toSubscriptionSnapshot } from "./subscription-snapshot.ts";

const item = {
  price: { id: "price_student_access" },
  current_period_start: 1000,
  current_period_end: 2000,
};

const phase = (start: number, price: string) => ({ start_date: start, items: [{ price }] });

/** As much of the provider's object as is read. */
function subscription(changes: Record<string, unknown> = {}): Stripe.Subscription {
  return {
    id: "sub_1",
    customer: "cus_1",
    status: "active",
    items: { data: [item] },
    cancel_at: null,
    cancel_at_period_end: false,
    schedule: null,
    default_payment_method: {
      type: "card",
      card: { brand: "visa", last4: "4242", exp_month: 3, exp_year: 2031 },
    },
    created: 900,
    ended_at: null,
    latest_invoice: { id: "in_1" },
    ...changes,
  } as unknown as Stripe.Subscription;
}

describe("a snapshot", () => {
  it("takes the period and the price from the item, and the card from the method", () => {
    expect(toSubscriptionSnapshot(subscription())).toEqual({
      subscription_id: "sub_1",
      customer_id: "cus_1",
      status: "active",
      price_id: "price_student_access",
      current_period_start: 1000,
      current_period_end: 2000,
      cancel_at_period_end: false,
      payment_method_brand: "visa",
      payment_method_last4: "4242",
      payment_method_expires: "2031-03",
      pending_price_id: null,
      pending_from: null,
      pending_change_id: null,
      created: 900,
      ended: null,
      is_paused: false,
      latest_invoice: "in_1",
      items: [
        { price_id: "price_student_access", current_period_start: 1000, current_period_end: 2000 },
      ],
    });
  });

  it("is paused where the provider collects nothing", () => {
    const paused = { behavior: "void", resumes_at: null } as const;
    expect(toSubscriptionSnapshot(subscription({ pause_collection: paused }))).toMatchObject({
      is_paused: true,
    });
    expect(toSubscriptionSnapshot(subscription({ pause_collection: null }))).toMatchObject({
      is_paused: false,
    });
  });

  it("does without a card that is unknown, was not expanded, or is none", () => {
    const none = { payment_method_brand: null, payment_method_last4: null };
    expect(toSubscriptionSnapshot(subscription({ default_payment_method: null }))).toMatchObject(
      none,
    );
    expect(toSubscriptionSnapshot(subscription({ default_payment_method: "pm_1" }))).toMatchObject(
      none,
    );
    const link = { default_payment_method: { type: "link" } };
    expect(toSubscriptionSnapshot(subscription(link))).toMatchObject({
      ...none,
      payment_method_brand: "link",
    });
  });

  it.each([
    [
      "the next phase of the schedule",
      {
        schedule: {
          id: "sub_sched_1",
          phases: [phase(1000, "price_student_access"), phase(2000, "price_b")],
        },
      },
      "price_b",
      2000,
      "sub_sched_1",
    ],
    [
      "a change that is not paid yet",
      {
        latest_invoice: { id: "in_1" },
        pending_update: { subscription_items: [{ price: { id: "price_b" } }] },
      },
      "price_b",
      null,
      "in_1",
    ],
    [
      "no later phase",
      { schedule: { phases: [phase(1000, "price_student_access")] } },
      null,
      null,
      null,
    ],
    [
      "a phase at the same price",
      { schedule: { phases: [phase(2000, "price_student_access")] } },
      null,
      null,
      null,
    ],
    [
      "a phase beyond the next",
      { schedule: { phases: [phase(3000, "price_b")] } },
      null,
      null,
      null,
    ],
    ["a schedule that was not expanded", { schedule: "sub_sched_1" }, null, null, null],
  ])("finds the planned price, and its name, in %s", (_, changes, price, from, change) => {
    expect(toSubscriptionSnapshot(subscription(changes))).toMatchObject({
      pending_price_id: price,
      pending_from: from,
      pending_change_id: change,
    });
  });

  it("does without an item", () => {
    expect(toSubscriptionSnapshot(subscription({ items: { data: [] } }))).toMatchObject({
      price_id: null,
      current_period_start: null,
      current_period_end: null,
    });
  });

  it.each([
    [{ cancel_at_period_end: true, cancel_at: 2000 }, true],
    [{ cancel_at: 2000 }, true],
    [{ cancel_at: 1500 }, true],
    [{ cancel_at: 2001 }, false],
    [{}, false],
    // The end of a phase ends nothing, unless the schedule itself ends the subscription then.
    [{ cancel_at: 2000, schedule: "sub_sched_1" }, false],
    [
      { cancel_at: 2000, schedule: { end_behavior: "release", phases: [{ end_date: 2000 }] } },
      false,
    ],
    [{ schedule: { end_behavior: "cancel", phases: [{ end_date: 2000 }] } }, true],
    [
      { schedule: { end_behavior: "cancel", phases: [{ end_date: 2000 }, { end_date: 3000 }] } },
      false,
    ],
    [{ cancel_at_period_end: true, schedule: "sub_sched_1" }, true],
  ])("with %j ends with the period: %s", (changes, expected) => {
    expect(endsWithPeriod(subscription(changes))).toBe(expected);
  });
});

it("an id is the same expanded or not", () => {
  expect(idOf("cus_1")).toBe("cus_1");
  expect(idOf({ id: "cus_1" })).toBe("cus_1");
  expect(idOf(null)).toBeNull();
});
