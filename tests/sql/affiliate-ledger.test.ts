import fc from "fast-check";
import pg from "pg";
import { describe, expect, inject } from "vitest";
import { anyStep, applyReading, History } from "./affiliate-history.ts";
import {
  affiliateIdOf,
  balanceOf,
  bring,
  claimVisit,
  codeOf,
  endWaiting,
  recordVisit,
} from "./affiliate-world.ts";
import { test, World } from "./world.ts";

test("whatever happens in whatever order, the ledger sums to zero after every step and holds what the latest readings earn", async ({
  world,
}) => {
  const admin = await world.freshAdmin();
  await world.run(
    "owner",
    "update private.rate_limits set max_count = 1000 where action = 'claim_referral'",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
      const history = await History.begin(world, admin);
      for (const it of steps) {
        await history.take(it);
        await history.check();
      }
    }),
    { numRuns: 25 },
  );
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
    for (let n = 0; n < 50; n += 1) newcomers.push(await setUp.newcomer());
    await owner.query("commit");
    const { databaseUrl } = inject("host");
    const clients = Array.from(
      { length: 50 },
      () => new pg.Client({ connectionString: databaseUrl }),
    );
    const inTransaction = async <T>(
      client: pg.Client,
      work: (world: World) => Promise<T>,
    ): Promise<T> => {
      const result = await work(new World(client));
      await client.query("commit");
      return result;
    };
    /** Fifty times the same work, each in a transaction that is open before the first of them begins. */
    const all = async <T>(work: (world: World, n: number) => Promise<T>): Promise<T[]> => {
      await Promise.all(clients.map(async (client) => await client.query("begin")));
      return await Promise.all(
        clients.map(
          async (client, n) => await inTransaction(client, async (world) => await work(world, n)),
        ),
      );
    };
    const alone = async <T>(work: (world: World) => Promise<T>): Promise<T> => {
      await owner.query("begin");
      return await inTransaction(owner, work);
    };
    const balance = async () => await alone(async (world) => await balanceOf(world, affiliate));
    try {
      await Promise.all(clients.map(async (client) => await client.connect()));
      const claims = await all(
        async (world, n) => await claimVisit(world, newcomers[n] ?? "", open),
      );
      expect(claims.filter(Boolean)).toHaveLength(1);
      const accounts = { brought, other: brought };
      await all(async (world, n) => {
        const it = { payment: n % 3, ticket: n + 1, refunded: 0, dispute: null };
        await applyReading(world, accounts, it);
      });
      expect(await balance()).toEqual([3000, 0, 0]);
      await alone(async (world) => await endWaiting(world, affiliate));
      await all(async (world) => {
        await world.run("service_role", "select public.release_commissions()");
      });
      expect(await balance()).toEqual([0, 3000, 0]);
      const id = await alone(async (world) => await affiliateIdOf(world, affiliate));
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
      await Promise.all(clients.map(async (client) => await client.end()));
      const accounts = [affiliate, admin, brought, ...newcomers];
      await owner.query("delete from auth.users where id = any ($1)", [accounts]);
    }
  });
});
