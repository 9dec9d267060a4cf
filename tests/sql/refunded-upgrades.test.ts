import { describe, expect } from "vitest";
import { test, type Row, type World } from "./world.ts";

const periodStart = 1_800_000_000;
const end = 1_802_592_000;

/** Applies a reading of a payment. */
async function pay(world: World, member: string, charge: Row): Promise<void> {
  await world.run("service_role", "select public.billing_record_customer($1, $2)", [
    member,
    `cus_${member}`,
  ]);
  const snapshot = {
    charge_id: `ch_${member}`,
    customer_id: `cus_${member}`,
    subscription_id: `sub_${member}`,
    currency: "gbp",
    amount_refunded: 0,
    is_refunded: false,
    dispute: null,
    records: [],
    ...charge,
  };
  const sql = "select public.billing_apply_charge(public.billing_next_ticket(), $1)";
  await world.run("service_role", sql, [JSON.stringify(snapshot)]);
}

/** Applies a reading of the subscription, which is to the mentor plan at the provider. @returns the row the member has. */
async function readMentor(world: World, member: string, latestInvoice: string): Promise<Row> {
  const snapshot = {
    subscription_id: `sub_${member}`,
    customer_id: `cus_${member}`,
    status: "active",
    price_id: "price_mentor_access",
    current_period_start: periodStart,
    current_period_end: end,
    cancel_at_period_end: false,
    created: periodStart,
    latest_invoice: latestInvoice,
  };
  const apply = "select public.billing_apply_subscription(public.billing_next_ticket(), $1)";
  await world.run("service_role", apply, [JSON.stringify(snapshot)]);
  const sql = "select status, hold from public.stripe_subscriptions where subscription_id = $1";
  return await world.one(member, sql, [`sub_${member}`]);
}

describe("an upgrade whose difference was refunded", () => {
  const difference = {
    invoice_id: "in_upgrade",
    upgraded_from: "price_student_access",
    upgraded_to: "price_mentor_access",
  };

  const priceOf = "select price_id from public.stripe_subscriptions where subscription_id = $1";

  test.for([
    ["in full", { is_refunded: true }, "in_upgrade", "price_student_access"],
    ["in part", { amount_refunded: 100 }, "in_upgrade", "price_mentor_access"],
    ["and paid again, or renewed,", { is_refunded: true }, "in_later", "price_mentor_access"],
    [
      "to another price",
      { is_refunded: true, upgraded_to: "price_other" },
      "in_upgrade",
      "price_mentor_access",
    ],
    [
      "without being an upgrade",
      { is_refunded: true, upgraded_to: null },
      "in_upgrade",
      "price_mentor_access",
    ],
  ] as [string, Row, string, string][])(
    "%s leaves the right plan",
    async ([, charge, latestInvoice, price], { world }) => {
      const member = await world.newcomer();
      await pay(world, member, { ...difference, ...charge });
      expect(await readMentor(world, member, latestInvoice)).toEqual({
        status: "active",
        hold: null,
      });
      expect(await world.one(member, priceOf, [`sub_${member}`])).toEqual({ price_id: price });
      const role = await world.one("owner", "select role from public.profiles where id = $1", [
        member,
      ]);
      expect(role).toEqual({ role: price === "price_mentor_access" ? "mentor" : "student" });
    },
  );
});
