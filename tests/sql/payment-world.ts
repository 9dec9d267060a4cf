import { randomUUID } from "node:crypto";
import type { World } from "./world.ts";

/** Begins a refund: request, payment, amount in pence, reason. */
export const beginRefund = "select public.admin_begin_refund($1, $2, $3, $4) as request";

interface Payment {
  id: string;
  member: string;
}

/** A payment of £50 as the webhook would write it. */
export async function recordPayment(
  world: World,
  member: string,
  { at = "2020-05-05T12:00:00Z", ...charge }: Record<string, unknown> & { at?: string } = {},
): Promise<Payment> {
  const customer = `cus_${member}`;
  await world.run("service_role", "select public.billing_record_customer($1, $2)", [
    member,
    customer,
  ]);
  const id = `ch_${randomUUID().replaceAll("-", "")}`;
  const snapshot = {
    charge_id: id,
    customer_id: customer,
    subscription_id: `sub_${member}`,
    currency: "gbp",
    amount: 5000,
    amount_refunded: 0,
    is_refunded: false,
    records: [
      {
        kind: "payment",
        id,
        status: "succeeded",
        amount: 5000,
        created: Date.parse(at) / 1000,
      },
    ],
    ...charge,
  };
  const apply = "select public.billing_apply_charge(public.billing_next_ticket(), $1)";
  await world.run("service_role", apply, [JSON.stringify(snapshot)]);
  return { id, member };
}
