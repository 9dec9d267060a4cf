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
  const sql = "select public.billing_apply_charge(public.billing_draw_ticket(), $1)";
  await world.run("service_role", sql, [JSON.stringify(snapshot)]);
}

/** Applies a reading of the subscription, which is to the mentor plan at the provider. @returns the row the member has. */
async function readMentor(world: World, member: string): Promise<Row> {
  const snapshot = {
    subscription_id: `sub_${member}`,
    customer_id: `cus_${member}`,
    status: "active",
    price_id: "price_mentor_access",
    current_period_start: periodStart,
    current_period_end: end,
    cancel_at_period_end: false,
    created: periodStart,
  };
  const apply = "select public.billing_apply(public.billing_draw_ticket(), $1)";
  await world.run("service_role", apply, [JSON.stringify(snapshot)]);
  const sql = "select status, hold from public.stripe_subscriptions where subscription_id = $1";
  return await world.one(member, sql, [`sub_${member}`]);
}

describe("an upgrade whose difference was refunded", () => {
  const paidAt = periodStart + 600;
  const difference = {
    period_end: null,
    upgraded_from: "price_student_access",
    upgraded_to: "price_mentor_access",
    upgrade_start: paidAt,
    upgrade_end: end,
  };
  const priceOf = "select price_id from public.stripe_subscriptions where subscription_id = $1";

  test.for([
    ["in full", { is_refunded: true }, null, "price_student_access"],
    ["in part", { amount_refunded: 100 }, null, "price_mentor_access"],
    [
      "and paid again",
      { is_refunded: true },
      { upgrade_start: paidAt + 60 },
      "price_mentor_access",
    ],
    [
      "twice",
      { is_refunded: true },
      { upgrade_start: paidAt + 60, is_refunded: true },
      "price_student_access",
    ],
    [
      "in an earlier period",
      { is_refunded: true, upgrade_end: periodStart },
      null,
      "price_mentor_access",
    ],
    [
      "to another price",
      { is_refunded: true, upgraded_to: "price_other" },
      null,
      "price_mentor_access",
    ],
  ] as [string, Row, Row | null, string][])(
    "%s leaves the right plan",
    async ([, charge, later, price], { world }) => {
      const member = await world.newcomer();
      await pay(world, member, { ...difference, ...charge });
      const again = { ...difference, charge_id: `ch_again_${member}` };
      if (later !== null) await pay(world, member, { ...again, ...later });
      expect(await readMentor(world, member)).toEqual({ status: "active", hold: null });
      expect(await world.one(member, priceOf, [`sub_${member}`])).toEqual({ price_id: price });
      const role = await world.one("owner", "select role from public.profiles where id = $1", [
        member,
      ]);
      expect(role).toEqual({ role: price === "price_mentor_access" ? "mentor" : "student" });
    },
  );
});
