import type { Row, World } from "./world.ts";

/** Writes a reading of the member's latest invoice of a renewal; its id. */
export async function readInvoice(world: World, member: string, reading: Row): Promise<string> {
  const snapshot = {
    invoice_id: `in_${member.replaceAll("-", "")}`,
    customer_id: `cus_${member}`,
    subscription_id: `sub_${member}`,
    number: `F4-${member.slice(0, 8)}`,
    status: "open",
    reason: "subscription_cycle",
    currency: "gbp",
    total: 5000,
    starting_balance: 0,
    amount_due: 5000,
    amount_paid: 0,
    lines: [],
    attempt_count: 1,
    next_attempt: 1_800_200_000,
    failure_code: null,
    issued: 1_800_000_000,
    ...reading,
  };
  const sql = "select public.billing_apply_invoice(public.billing_next_ticket(), $1) as outcome";
  await world.one("service_role", sql, [JSON.stringify(snapshot)]);
  return snapshot.invoice_id;
}

/** Writes a reading of the member's subscription. */
export async function readMembership(world: World, member: string, reading: Row): Promise<void> {
  await world.run("service_role", "select public.billing_record_customer($1, $2)", [
    member,
    `cus_${member}`,
  ]);
  const sql = "select public.billing_apply_subscription(public.billing_next_ticket(), $1)";
  await world.run("service_role", sql, [
    JSON.stringify({
      subscription_id: `sub_${member}`,
      customer_id: `cus_${member}`,
      status: "active",
      price_id: "price_student_access",
      current_period_start: 1_800_000_000,
      current_period_end: 1_802_592_000,
      cancel_at_period_end: false,
      payment_method_brand: "visa",
      payment_method_last4: "4242",
      created: 1_800_000_000,
      ...reading,
    }),
  ]);
}

/** A renewal of a member that could not be paid; the id of its invoice. */
export async function failRenewal(world: World, member: string, reading: Row = {}) {
  await readMembership(world, member, {});
  await readMembership(world, member, { status: "past_due" });
  return await readInvoice(world, member, reading);
}
