import { randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { describe, expect, inject } from "vitest";
import {
  affiliateIdOf,
  balanceOf,
  bring,
  claimVisit,
  codeOf,
  endWaiting,
  expectZeroSum,
  inHours,
  release,
  recordVisit,
} from "./affiliate-world.ts";
import { test, World } from "./world.ts";

const rate = 0.2;

/** What the provider says about one payment at one moment; a reading with a lower ticket is older. */
interface Reading {
  payment: number;
  ticket: number;
  refunded: number;
  dispute: "open" | "won" | "lost" | null;
}
type Step = { kind: "reading"; reading: Reading } | { kind: "release" } | { kind: "payout" };

const reading = fc.record({
  payment: fc.nat(5),
  ticket: fc.integer({ min: 1, max: 30 }),
  refunded: fc.constantFrom(0, 0, 0, 1, 2499, 5000),
  dispute: fc.constantFrom(null, null, "open" as const, "won" as const, "lost" as const),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: reading.map((it) => ({ kind: "reading" as const, reading: it })) },
  { weight: 1, arbitrary: fc.constant({ kind: "release" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "payout" as const }) },
);

/** Two of six payments are by an account that nobody brought, and one has no invoice. */
const payers = ["brought", "brought", "brought", "brought", "other", "other"] as const;

function dueFor({ payment, refunded, dispute }: Reading): number {
  if (payers[payment] !== "brought" || payment === 3) return 0;
  if (refunded === 5000 || dispute === "open" || dispute === "lost") return 0;
  return Math.floor((5000 - refunded) * rate);
}

async function applyReading(world: World, accounts: Record<string, string>, it: Reading) {
  const account = accounts[payers[it.payment] ?? ""];
  const charge = `ch_${String(accounts["brought"])}_${it.payment}`;
  const snapshot = {
    charge_id: charge,
    customer_id: `cus_${String(account)}`,
    subscription_id: `sub_${String(account)}`,
    currency: "gbp",
    amount: 5000,
    amount_refunded: it.refunded,
    is_refunded: it.refunded === 5000,
    dispute: it.dispute,
    invoice_id: it.payment === 3 ? null : `in_${charge}`,
    records: [
      {
        kind: "payment",
        id: charge,
        status: "succeeded",
        amount: 5000,
        created: Date.parse(inHours(1)) / 1000,
      },
    ],
  };
  const sql = "select public.billing_apply_charge($1, $2)";
  await world.run("service_role", sql, [it.ticket, JSON.stringify(snapshot)]);
}

describe("whatever happens in whatever order", () => {
  test("the ledger sums to zero and holds what the latest readings earn", async ({ world }) => {
    const admin = await world.freshAdmin();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const affiliate = await world.member();
        const accounts = { brought: await bring(world, affiliate), other: await world.newcomer() };
        for (const account of Object.values(accounts)) {
          const record = "select public.billing_record_customer($1, $2)";
          await world.run("service_role", record, [account, `cus_${account}`]);
        }
        const latest = new Map<number, Reading>();
        const id = await affiliateIdOf(world, affiliate);
        for (const it of steps) {
          if (it.kind === "reading") {
            await applyReading(world, accounts, it.reading);
            const known = latest.get(it.reading.payment);
            if (!known || known.ticket < it.reading.ticket) {
              latest.set(it.reading.payment, it.reading);
            }
          } else if (it.kind === "release") {
            await release(world, affiliate);
          } else {
            const [, payable = 0] = await balanceOf(world, affiliate);
            const pay = "select public.admin_mark_payout($1, $2, 'BANK')";
            if (payable >= 1000) await world.run(admin, pay, [id, payable]);
            else await world.refused(admin, "FF634", pay, [id, payable]);
          }
          const held = (await balanceOf(world, affiliate)).reduce((sum, pence) => sum + pence, 0);
          const due = [...latest.values()].reduce((sum, it) => sum + dueFor(it), 0);
          expect(held).toBe(due);
        }
        await expectZeroSum(world);
      }),
      { numRuns: 25 },
    );
  });

  test("200 attempts to earn without bringing anybody earn nothing", async ({ world }) => {
    const affiliate = await world.member();
    const code = await codeOf(world, affiliate);
    const used = await recordVisit(world, code);
    await claimVisit(world, await world.newcomer(), used);
    const elder = await world.newcomer();
    const old = "update auth.users set created_at = now() - interval '1 day' where id = $1";
    await world.run("owner", old, [elder]);
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1000 where action = 'claim_referral'",
    );
    const attempts: (() => Promise<boolean>)[] = [
      // Oneself, by a visit of one's own.
      async () => await claimVisit(world, affiliate, await recordVisit(world, code)),
      // A forged id.
      async () => await claimVisit(world, elder, randomUUID()),
      // A visit that brought somebody already.
      async () => await claimVisit(world, elder, used),
      // An account that was there before.
      async () => await claimVisit(world, elder, await recordVisit(world, code)),
    ];
    for (let n = 0; n < 200; n += 1) {
      expect(await attempts[n % attempts.length]?.(), `attempt ${n}`).toBe(false);
    }
    expect(await balanceOf(world, affiliate)).toEqual([0, 0, 0]);
  });
});

describe("fifty at once", () => {
  test("one visit brings one account, each payment earns once, and one payout is made", async ({
    owner,
  }) => {
    const setUp = new World(owner);
    await owner.query("begin");
    const affiliate = await setUp.member();
    const admin = await setUp.freshAdmin();
    const brought = await bring(setUp, affiliate);
    await setUp.run("service_role", "select public.billing_record_customer($1, $2)", [
      brought,
      `cus_${brought}`,
    ]);
    const open = await recordVisit(setUp, await codeOf(setUp, affiliate));
    const newcomers: string[] = [];
    for (let n = 0; n < 10; n += 1) newcomers.push(await setUp.newcomer());
    await owner.query("commit");
    const { databaseUrl } = inject("host");
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
    const inTransaction = async <T>(work: (world: World) => Promise<T>): Promise<T> => {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const result = await work(new World(client));
        await client.query("commit");
        return result;
      } finally {
        client.release();
      }
    };
    /** Fifty times the same work, in ten transactions at a time. */
    const all = async <T>(work: (world: World, n: number) => Promise<T>): Promise<T[]> =>
      await Promise.all(
        Array.from({ length: 50 }, async (_, n) => {
          return await inTransaction(async (world) => await work(world, n));
        }),
      );
    const balance = async () =>
      await inTransaction(async (world) => await balanceOf(world, affiliate));
    try {
      const claims = await all(
        async (world, n) => await claimVisit(world, newcomers[n % newcomers.length] ?? "", open),
      );
      expect(claims.filter(Boolean)).toHaveLength(1);
      const accounts = { brought, other: brought };
      await all(async (world, n) => {
        const it = { payment: n % 3, ticket: n + 1, refunded: 0, dispute: null };
        await applyReading(world, accounts, it);
      });
      expect(await balance()).toEqual([3000, 0, 0]);
      await inTransaction(async (world) => await endWaiting(world, affiliate));
      await all(async (world) => {
        await world.run("service_role", "select public.release_commissions()");
      });
      expect(await balance()).toEqual([0, 3000, 0]);
      const id = await inTransaction(async (world) => await affiliateIdOf(world, affiliate));
      const paid = await all(async (world) => {
        const sql = "select public.admin_mark_payout($1, 3000, 'BANK')";
        world.verify(admin);
        return await world.run(admin, sql, [id]).then(
          () => "paid",
          (error: { code?: string }) => error.code,
        );
      });
      expect(paid.filter((outcome) => outcome === "paid")).toHaveLength(1);
      expect(new Set(paid)).toEqual(new Set(["paid", "FF634"]));
      expect(await balance()).toEqual([0, 0, 3000]);
    } finally {
      await pool.end();
      const accounts = [affiliate, admin, brought, ...newcomers];
      await owner.query("delete from auth.users where id = any ($1)", [accounts]);
    }
  });
});
