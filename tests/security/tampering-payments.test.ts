import { beforeAll, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { member, newcomer, owner, stored, startMembership } from "./members.ts";

let victim: Account;
let mallory: Account;
beforeAll(async () => {
  [victim, mallory] = [await member(), await newcomer()];
});

test("a client cannot insert a customer or a subscription", async () => {
  const { client, id } = mallory;
  const customer = await client
    .from("stripe_customers")
    .insert({ customer_id: "cus_forged", user_id: id });
  expect(customer.error).toMatchObject({ code: "42501" });
  const subscription = await client
    .from("stripe_subscriptions")
    .insert({ customer_id: `cus_test_${victim.id}`, status: "active" });
  expect(subscription.error).toMatchObject({ code: "42501" });
  expect(await stored("stripe_customers", "user_id", id)).toEqual([]);
});

test("a client cannot take over another member's subscription", async () => {
  const { client, id } = mallory;
  const before = await stored("stripe_customers", "user_id", victim.id);
  const take = await client
    .from("stripe_customers")
    .update({ user_id: id })
    .eq("user_id", victim.id);
  expect(take.error).toMatchObject({ code: "42501" });
  const cancel = await client
    .from("stripe_subscriptions")
    .update({ status: "canceled" })
    .neq("status", "canceled");
  expect(cancel.error).toMatchObject({ code: "42501" });
  const remove = await client.from("stripe_subscriptions").delete().neq("id", 0);
  expect(remove.error).toMatchObject({ code: "42501" });
  expect(await stored("stripe_customers", "user_id", victim.id)).toEqual(before);
});

test("a client cannot reactivate its own subscription", async () => {
  const lapsed = await newcomer();
  await startMembership(lapsed.id);
  await owner.query(
    "update public.stripe_subscriptions set status = 'unpaid' where customer_id = $1",
    [`cus_test_${lapsed.id}`],
  );
  const revive = await lapsed.client
    .from("stripe_subscriptions")
    .update({ status: "active" })
    .eq("status", "unpaid");
  expect(revive.error).toMatchObject({ code: "42501" });
  const { data } = await lapsed.client.from("stripe_subscriptions").select("status").single();
  expect(data).toEqual({ status: "unpaid" });
});

test("a client cannot change the price of a plan", async () => {
  const cheap = await mallory.client
    .from("plans")
    .update({ amount_pence: 1 })
    .eq("id", "mentor-access");
  expect(cheap.error).toMatchObject({ code: "42501" });
  const gift = await mallory.client.from("plans").upsert({ id: "mentor-access", amount_pence: 1 });
  expect(gift.error).toMatchObject({ code: "42501" });
  expect(await stored("plans", "id", "mentor-access")).toMatchObject([{ amount_pence: 10_000 }]);
});

test("a client cannot write invoices, its own or another member's", async () => {
  const invoice = {
    invoice_id: `in_test_${victim.id}`,
    customer_id: `cus_test_${victim.id}`,
    status: "open",
    currency: "gbp",
    total_pence: 5000,
    amount_due_pence: 5000,
    amount_paid_pence: 0,
    issued_at: new Date().toISOString(),
  };
  await owner.query(
    `insert into public.invoices select * from jsonb_populate_record(null::public.invoices, $1::jsonb || '{"lines": [], "attempt_count": 0, "starting_balance_pence": 0, "amount_refunded_pence": 0, "updated_at": "2026-01-01"}')`,
    [JSON.stringify(invoice)],
  );
  for (const { client } of [mallory, victim]) {
    const rows = () => client.from("invoices");
    const own = { ...invoice, invoice_id: "in_forged" };
    for (const { error } of [
      await rows().insert(own),
      await rows().upsert({ ...invoice, status: "paid" }),
      await rows().update({ status: "paid" }).eq("invoice_id", invoice.invoice_id),
      await rows().delete().eq("invoice_id", invoice.invoice_id),
    ]) {
      expect(error).toMatchObject({ code: "42501" });
    }
  }
  expect(await stored("invoices", "invoice_id", invoice.invoice_id)).toMatchObject([
    { status: "open" },
  ]);
});

test("a client cannot read another member's payments, not even by embedding", async () => {
  const { client } = mallory;
  for (const [table, column, value] of [
    ["stripe_customers", "user_id", victim.id],
    ["stripe_subscriptions", "customer_id", `cus_test_${victim.id}`],
    ["invoices", "customer_id", `cus_test_${victim.id}`],
  ] as const) {
    expect(await client.from(table).select("*").eq(column, value)).toMatchObject({
      error: null,
      data: [],
    });
    expect((await anonymous().from(table).select("*")).error).toMatchObject({ code: "42501" });
  }
  const embedded = await client.from("stripe_customers").select("*, stripe_subscriptions(*)");
  expect(embedded).toMatchObject({ error: null, data: [] });
});
