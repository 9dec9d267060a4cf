import { expect } from "vitest";
import { test, type World } from "./world.ts";

async function refunds(world: World, actor: string, invoice: string): Promise<unknown> {
  return (await world.one(actor, "select public.invoice_refunds($1) as all", [invoice]))["all"];
}

test("the refunds of an invoice are told with their days, to whose invoice it is alone", async ({
  world,
}) => {
  const [ada, bob] = [await world.member(), await world.member()];
  const invoice = `in_${ada}`;
  await world.run(
    "owner",
    `insert into private.billing_charges (charge_id, customer_id, is_refunded, invoice_id)
     select 'ch_' || $1, c.customer_id, false, 'in_' || $1
     from public.stripe_customers c where c.user_id = $1::uuid`,
    [ada],
  );
  const record = async (id: string, status: string, amount: number, day: string) => {
    await world.run(
      "owner",
      `insert into private.payment_records (kind, provider_id, status, charge_id, customer_id, amount, currency, happened_at)
       select 'refund', $2 || $1, $3, 'ch_' || $1, c.customer_id, $4, 'gbp', $5
       from public.stripe_customers c where c.user_id = $1::uuid`,
      [ada, id, status, amount, `${day}T12:00:00Z`],
    );
  };
  expect(await refunds(world, ada, invoice)).toEqual([]);
  await record("re_2", "succeeded", 1000, "2026-11-20");
  await record("re_1", "pending", 250, "2026-11-10");
  await record("re_1", "succeeded", 250, "2026-11-10");
  await record("re_3", "failed", 500, "2026-11-21");
  expect(await refunds(world, ada, invoice)).toEqual([
    { amount_pence: 250, refunded_at: "2026-11-10T12:00:00+00:00" },
    { amount_pence: 1000, refunded_at: "2026-11-20T12:00:00+00:00" },
  ]);
  expect(await refunds(world, bob, invoice)).toEqual([]);
  await world.refused("anon", "42501", "select public.invoice_refunds($1)", [invoice]);
});
