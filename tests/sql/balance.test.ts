import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { SeededRandom } from "../support/seeded-random.ts";
import { recordPayment } from "./payment-world.ts";
import { test, type Row, type World } from "./world.ts";

const months = "select * from public.admin_money_by_month(120)";
const keep = "select public.billing_keep_balance($1::jsonb, $2::bigint)";

/** A movement as the functions write it; each test has a currency of its own. */
function movement(
  currency: string,
  category: string,
  amount: number,
  { fee = 0, source = null, at = "2026-03-05T12:00:00Z", id = `txn_${randomUUID()}` }: Given = {},
) {
  const created = Date.parse(at) / 1000;
  return { id, category, source, amount, fee, net: amount - fee, currency, created };
}
interface Given {
  readonly fee?: number;
  readonly source?: string | null;
  readonly at?: string;
  readonly id?: string;
}

/** A payment with a refund of it and a dispute, as they are recorded. */
async function pay(
  world: World,
  member: string,
  currency: string,
  amount: number,
  at = "2026-03-05T12:00:00Z",
): Promise<Readonly<Record<"charge" | "refund" | "dispute", string>>> {
  const id = randomUUID();
  const ids = { charge: `ch_${id}`, refund: `re_${id}`, dispute: `du_${id}` };
  const created = Date.parse(at) / 1000;
  const of = { amount, created };
  await recordPayment(world, member, {
    charge_id: ids.charge,
    amount,
    currency,
    records: [
      { kind: "payment", id: ids.charge, status: "succeeded", ...of },
      { kind: "refund", id: ids.refund, status: "succeeded", ...of, amount: 0 },
      { kind: "dispute", id: ids.dispute, status: "needs_response", ...of },
    ],
  });
  return ids;
}

async function keepAll(world: World, movements: readonly object[], until = 0): Promise<void> {
  await world.run("service_role", keep, [JSON.stringify(movements), until]);
}

async function linesOf(world: World, admin: string, currency: string): Promise<readonly Row[]> {
  return (await world.run(admin, months)).filter((row) => row["currency"] === currency);
}

describe("the balance at the provider, by month", () => {
  test("is charges less refunds, disputes and fees, with payouts apart", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const currency = "dkk";
    const { charge, refund, dispute } = await pay(world, ada, currency, 5000);
    await keepAll(world, [
      movement(currency, "charge", 5000, { fee: 95, source: charge }),
      movement(currency, "charge", 9999, { fee: 99, source: "ch_of_another_product" }),
      movement(currency, "refund", -2000, { source: refund }),
      movement(currency, "refund_failure", 500, { source: refund }),
      movement(currency, "dispute", -3000, { fee: 2000, source: dispute }),
      movement(currency, "dispute_reversal", 3000, { source: dispute }),
      movement(currency, "fee", -250),
      movement(currency, "network_cost", -30, { fee: 1 }),
      movement(currency, "topup", 700),
      movement(currency, "payout", -4000, { fee: 10, source: "po_1" }),
      movement(currency, "payout_reversal", 1000, { source: "po_2" }),
    ]);
    expect(await linesOf(world, admin, currency)).toMatchObject([
      {
        charges: 1,
        charged_pence: "5000",
        refunds: 1,
        refunded_pence: "1500",
        disputes: 1,
        disputed_pence: "0",
        dispute_fees_pence: "2000",
        fees_pence: String(95 + 250 + 31 + 10),
        other_pence: String(9900 + 700),
        net_pence: String(5000 - 1500 - 2000 - 386 + 10_600),
        payouts: 1,
        paid_out_pence: "3000",
        unread: 0,
      },
    ]);
  });

  test("adds up to the change of the balance in every month, to the penny", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const [currency, random] = ["nok", new SeededRandom(16)];
    const below = (count: number) => random.between(0, count - 1);
    const categories = [
      "charge",
      "refund",
      "dispute",
      "dispute_reversal",
      "fee",
      "tax",
      "payout",
      "risk_reserved_funds",
    ] as const;
    const sums = new Map<string, number>();
    const kept = [];
    for (let index = 0; index < 200; index += 1) {
      const category = categories[below(categories.length)] ?? "charge";
      const at = new Date(Date.UTC(2025, below(18), 1 + below(28), below(24))).toISOString();
      const ids = below(5) === 0 ? null : await pay(world, ada, currency, 1 + below(9000), at);
      const kind = category === "charge" || category === "refund" ? category : "dispute";
      const amount = below(20_000) - 10_000;
      const one = movement(currency, category, amount, {
        fee: below(300) - 50,
        at,
        source: ids?.[kind] ?? `xx_${String(index)}`,
      });
      kept.push(one);
      const month = at.slice(0, 7);
      sums.set(month, (sums.get(month) ?? 0) + one.net);
    }
    await keepAll(world, kept);
    // What has not been read is counted as recorded; here everything has.
    await keepAll(
      world,
      (
        await world.run(
          "owner",
          `select provider_id from private.payment_records r where currency = $1
           and not exists (select from private.balance_transactions b where b.source = r.provider_id)`,
          [currency],
        )
      ).map((row) =>
        movement(currency, "charge", 0, {
          source: String(row["provider_id"]),
          at: "2025-01-01T00:00:00Z",
        }),
      ),
    );
    const lines = await linesOf(world, admin, currency);
    expect(lines).toHaveLength(sums.size);
    for (const line of lines) {
      const pence = (name: string) => Number(line[name]);
      const month = new Date(line["month"] as Date).toLocaleDateString("en-CA").slice(0, 7);
      expect(pence("net_pence") - pence("paid_out_pence"), month).toBe(sums.get(month));
      expect(pence("unread"), month).toBe(0);
    }
  });

  test("counts a payment without its fee until the balance has it, once", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const currency = "czk";
    const { charge } = await pay(world, ada, currency, 5000);
    const found = async () => (await linesOf(world, admin, currency))[0];
    // The refund of this payment is recorded, too, as nothing.
    expect(await found()).toMatchObject({ charged_pence: "5000", fees_pence: "0", unread: 2 });
    const known = movement(currency, "charge", 5000, { source: charge });
    await keepAll(world, [known]);
    await keepAll(world, [known, known]);
    expect(await found()).toMatchObject({ charges: 1, charged_pence: "5000", unread: 1 });
    // The fee came later than the payment.
    await keepAll(world, [{ ...known, fee: 95, net: 4905 }]);
    expect(await found()).toMatchObject({ charges: 1, fees_pence: "95", net_pence: "4905" });
  });
});

describe("the reading of the balance", () => {
  test("goes on from where it stopped, an hour before, and never back", async ({ world }) => {
    const from = async () =>
      Number(
        (await world.one("service_role", "select public.billing_balance_read_from() as at"))["at"],
      );
    const until = 4_000_000_000;
    await keepAll(world, [], until);
    expect(await from()).toBe(until - 3600);
    await keepAll(world, [], until - 50_000);
    expect(await from()).toBe(until - 3600);
  });

  test("is the server's alone, and nobody reads what it keeps", async ({ world }) => {
    const [ada, admin] = [await world.newcomer(), await world.admin()];
    for (const caller of ["anon", ada, admin] as const) {
      await world.refused(caller, "42501", keep, ["[]", 0]);
      await world.refused(caller, "42501", "select public.billing_balance_read_from()");
      await world.refused(caller, "42501", "select * from private.balance_transactions");
      await world.refused(caller, "42501", "select * from private.balance_happened()");
      await world.refused(caller, "42501", "select private.keep_balance('[]')");
    }
  });

  test("keeps no movement that does not add up", async ({ world }) => {
    const wrong = { ...movement("gbp", "charge", 5000, { fee: 95 }), net: 5000 };
    await world.refused("service_role", "23514", keep, [JSON.stringify([wrong]), 0]);
  });
});
