import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  affiliateIdOf,
  ageVisit,
  balanceOf,
  bring,
  claimVisit,
  codeOf,
  expectZeroSum,
  inHours,
  payInvoice,
  release,
  recordVisit,
  newVisitor,
} from "./affiliate-world.ts";
import { test } from "./world.ts";

/** Who is paid, pence, reference of the transfer. */
const markPayout = "select public.admin_mark_payout($1, $2, $3)";

describe("a member's link", () => {
  test("is made for members, stays theirs, and is no visitor's or newcomer's", async ({
    world,
  }) => {
    const ada = await world.member();
    const code = await codeOf(world, ada);
    expect(code).toMatch(/^[a-z2-9]{8}$/);
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await codeOf(world, ada)).toBe(code);
    await world.refused(await world.newcomer(), "FF630", "select public.my_affiliate()");
    for (const sql of [
      "select public.my_affiliate()",
      "select public.my_commissions()",
      "select public.claim_referral(gen_random_uuid())",
    ]) {
      await world.refused("anon", "42501", sql);
    }
  });

  test("brings whoever signs up after a remembered visit", async ({ world }) => {
    const ada = await world.member();
    const grace = await bring(world, ada);
    const { affiliate } = await world.one(ada, "select public.my_affiliate() as affiliate");
    expect(affiliate).toMatchObject({ visits: 1, sign_ups: 1, members: 0, is_open: true });
    await world.subscribe(grace);
    const later = await world.one(ada, "select public.my_affiliate() as affiliate");
    expect(later["affiliate"]).toMatchObject({ members: 1 });
    const figures = await world.one(ada, "select affiliate_links from public.dashboard_figures()");
    expect(figures).toEqual({ affiliate_links: 1 });
    expect(JSON.stringify(affiliate)).not.toContain(grace);
  });

  test("is remembered once: the first visit counts until it is used or too old", async ({
    world,
  }) => {
    const [ada, grace] = [await world.member(), await world.member()];
    const first = await recordVisit(world, await codeOf(world, ada));
    expect(await recordVisit(world, await codeOf(world, grace), first)).toBe(first);
    await ageVisit(world, first);
    expect(await recordVisit(world, await codeOf(world, grace), first)).not.toBe(first);
    expect(await recordVisit(world, "nobody22")).toBeNull();
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await recordVisit(world, await codeOf(world, ada))).toBeNull();
  });
});

describe("visits by a link", () => {
  test("of one visitor are remembered up to thirty an hour, so that nobody uses up a link's", async ({
    world,
  }) => {
    const code = await codeOf(world, await world.member());
    const record = "select public.record_affiliate_visit($1, $2, $3) as visit";
    const visitor = newVisitor();
    const { visit } = await world.one("service_role", record, [code, null, visitor]);
    for (let n = 0; n < 29; n += 1) {
      await world.one("service_role", record, [code, null, visitor]);
    }
    await world.refused("service_role", "FF300", record, [code, null, visitor]);
    // The visit that the browser knows of stays, and others' are remembered.
    expect(await world.one("service_role", record, [code, visit, visitor])).toEqual({ visit });
    expect(await recordVisit(world, code)).not.toBeNull();
  });

  test("are remembered up to a thousand a day", async ({ world }) => {
    const ada = await world.member();
    const code = await codeOf(world, ada);
    const fill = `insert into private.affiliate_visits (visit_hash, affiliate_id, first_at)
      select sha256(convert_to(a.code || n, 'utf8')), a.affiliate_id, now() - $2::interval
      from private.affiliates a, generate_series(1, 999) n where a.user_id = $1`;
    await world.run("owner", fill, [ada, "1 hour"]);
    expect(await recordVisit(world, code)).not.toBeNull();
    expect(await recordVisit(world, code)).toBeNull();
    const yesterday = `update private.affiliate_visits v set first_at = now() - interval '25 hours'
      from private.affiliates a where a.affiliate_id = v.affiliate_id and a.user_id = $1`;
    await world.run("owner", yesterday, [ada]);
    expect(await recordVisit(world, code)).not.toBeNull();
  });
});

describe("no referral", () => {
  test("of oneself, under another address of the same mailbox, or in a ring", async ({ world }) => {
    const ada = await world.member();
    expect(await claimVisit(world, ada, await recordVisit(world, await codeOf(world, ada)))).toBe(
      false,
    );
    const alias = await world.newcomer();
    const address = `${ada}+second@EXAMPLE.test`;
    await world.run("owner", "update auth.users set email = $2 where id = $1", [alias, address]);
    expect(await claimVisit(world, alias, await recordVisit(world, await codeOf(world, ada)))).toBe(
      false,
    );
    // Ada brings Grace, Grace brings Joan; Joan's link brings nobody above her.
    const grace = await bring(world, ada);
    await world.subscribe(grace);
    await world.run(
      "owner",
      "update public.profiles set onboarding_complete = true where id = $1",
      [grace],
    );
    await world.run("owner", "delete from public.stripe_customers where user_id = $1", [ada]);
    const back = `insert into private.affiliates (user_id, code) values ($1, private.new_affiliate_code()) returning code`;
    const { code } = await world.one("owner", back, [grace]);
    await world.run(
      "owner",
      `insert into private.affiliate_visits (visit_hash, affiliate_id)
       select private.hash_visit($1), affiliate_id from private.affiliates where code = $2`,
      ["7d1b1b0e-0000-4000-8000-00000000000a", code],
    );
    expect(await claimVisit(world, ada, "7d1b1b0e-0000-4000-8000-00000000000a")).toBe(false);
  });

  test("by a forged, used, stale or foreign visit, of an older account, a payer or one brought before", async ({
    world,
  }) => {
    const ada = await world.member();
    const code = await codeOf(world, ada);
    const grace = await world.newcomer();
    expect(await claimVisit(world, grace, randomUUID())).toBe(false);
    expect(await claimVisit(world, grace, null)).toBe(false);
    const used = await recordVisit(world, code);
    expect(await claimVisit(world, await world.newcomer(), used)).toBe(true);
    expect(await claimVisit(world, grace, used)).toBe(false);
    const fresh = await recordVisit(world, code);
    const set = (sql: string, id: string) => world.run("owner", sql, [id]);
    await set(
      "update auth.users set created_at = now() - interval '1 minute' where id = $1",
      grace,
    );
    expect(await claimVisit(world, grace, fresh)).toBe(false);
    const payer = await world.newcomer();
    await payInvoice(world, payer);
    expect(await claimVisit(world, payer, fresh)).toBe(false);
    const twice = await bring(world, await world.member());
    expect(await claimVisit(world, twice, fresh)).toBe(false);
    expect(await claimVisit(world, await world.newcomer(), fresh)).toBe(true);
  });
});

describe("a commission", () => {
  test("is a fifth of what was paid, waits thirty days, and is paid out once", async ({
    world,
  }) => {
    const ada = await world.member();
    const grace = await bring(world, ada);
    await payInvoice(world, grace);
    expect(await balanceOf(world, ada)).toEqual([1000, 0, 0]);
    await world.run("service_role", "select public.release_commissions()");
    expect(await balanceOf(world, ada)).toEqual([1000, 0, 0]);
    await release(world, ada);
    expect(await balanceOf(world, ada)).toEqual([0, 1000, 0]);
    const admin = await world.freshAdmin();
    const id = await affiliateIdOf(world, ada);
    await world.refused(admin, "FF634", markPayout, [id, 999, "BANK 1"]);
    await world.refused(admin, "FF631", markPayout, [id, 1000, " "]);
    await world.refused(admin, "FF632", markPayout, [grace, 1000, "BANK 1"]);
    await world.refused(await world.admin(), "FF006", markPayout, [id, 1000, "BANK 1"]);
    await world.refused(ada, "FF002", markPayout, [id, 1000, "BANK 1"]);
    await world.run(admin, markPayout, [id, 1000, "BANK 1"]);
    await world.refused(admin, "FF634", markPayout, [id, 1000, "BANK 1"]);
    expect(await balanceOf(world, ada)).toEqual([0, 0, 1000]);
    const lines = await world.run(ada, "select state, amount_pence from public.my_commissions()");
    expect(lines).toEqual([{ state: "payable", amount_pence: "1000" }]);
    expect(await world.run(grace, "select * from public.my_commissions()")).toEqual([]);
    await expectZeroSum(world);
  });

  test("goes with a refund in part or whole and with a dispute, and comes back when that is won", async ({
    world,
  }) => {
    const ada = await world.member();
    const grace = await bring(world, ada);
    const { id } = await payInvoice(world, grace);
    const again = async (changes: Record<string, unknown>) => {
      await payInvoice(world, grace, {
        charge_id: id,
        invoice_id: "in_same",
        records: [],
        ...changes,
      });
      return await balanceOf(world, ada);
    };
    expect(await again({ amount_refunded: 2500 })).toEqual([500, 0, 0]);
    expect(await again({ amount_refunded: 0, dispute: "open" })).toEqual([0, 0, 0]);
    expect(await again({ amount_refunded: 0, dispute: "won" })).toEqual([1000, 0, 0]);
    await release(world, ada);
    expect(await again({ amount_refunded: 5000, is_refunded: true })).toEqual([0, 0, 0]);
    await expectZeroSum(world);
  });

  test("that was paid out already is owed back", async ({ world }) => {
    const ada = await world.member();
    const grace = await bring(world, ada);
    const { id } = await payInvoice(world, grace);
    await release(world, ada);
    const payout = [await affiliateIdOf(world, ada), 1000, "BANK 2"];
    await world.run(await world.freshAdmin(), markPayout, payout);
    await payInvoice(world, grace, { charge_id: id, dispute: "lost" });
    expect(await balanceOf(world, ada)).toEqual([0, -1000, 1000]);
    await payInvoice(world, grace);
    await release(world, ada);
    expect(await balanceOf(world, ada)).toEqual([0, 0, 1000]);
    await expectZeroSum(world);
  });

  test("is earned by no payment without invoice, in another currency, too late, or of somebody not brought", async ({
    world,
  }) => {
    const ada = await world.member();
    const grace = await bring(world, ada);
    const inAYear = inHours(370 * 24);
    await payInvoice(world, grace, { invoice_id: null });
    await payInvoice(world, grace, { currency: "eur" });
    await payInvoice(world, grace, { at: inAYear });
    await payInvoice(world, await world.newcomer());
    await payInvoice(world, ada);
    expect(await balanceOf(world, ada)).toEqual([0, 0, 0]);
  });

  test("is not earned with the affiliate's card, or one that another account used before", async ({
    world,
  }) => {
    const ada = await world.member();
    const [grace, joan] = [await bring(world, ada), await bring(world, ada)];
    await payInvoice(world, grace, { card_fingerprint: `shared ${ada}` });
    expect(await balanceOf(world, ada)).toEqual([1000, 0, 0]);
    const later = inHours(2);
    await payInvoice(world, joan, { card_fingerprint: `shared ${ada}`, at: later });
    expect(await balanceOf(world, ada)).toEqual([1000, 0, 0]);
    await payInvoice(world, ada, { card_fingerprint: `shared ${ada}`, at: later });
    expect(await balanceOf(world, ada)).toEqual([0, 0, 0]);
    await expectZeroSum(world);
  });

  test("is given up with the account, and the ledger keeps no person", async ({ world }) => {
    const ada = await world.member();
    const [grace, joan] = [await bring(world, ada), await bring(world, ada)];
    await payInvoice(world, grace);
    await release(world, ada);
    await payInvoice(world, joan);
    expect(await balanceOf(world, ada)).toEqual([1000, 1000, 0]);
    const id = await affiliateIdOf(world, ada);
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    const left = "select * from private.affiliate_balances where affiliate_id = $1";
    expect(await world.run("owner", left, [id])).toEqual([
      { affiliate_id: id, pending_pence: "0", payable_pence: "0", paid_pence: "0" },
    ]);
    await expectZeroSum(world);
  });
});

describe("the ledger", () => {
  const tables = [
    "affiliates",
    "affiliate_terms",
    "affiliate_visits",
    "referrals",
    "commissions",
    "affiliate_payouts",
    "ledger_transactions",
    "ledger_entries",
  ];

  test("and all about affiliates can be read and written by rules alone", async ({ world }) => {
    const actors = ["anon", "service_role", await world.member(), await world.freshAdmin()];
    for (const actor of actors) {
      for (const table of tables) {
        await world.refused(actor, "42501", `select * from private.${table}`);
        await world.refused(actor, "42501", `delete from private.${table}`);
      }
      await world.refused(
        actor,
        "42501",
        "select private.post_ledger_transaction('payout', gen_random_uuid(), null, null, 'house', 'paid', 1)",
      );
    }
    for (const actor of ["anon", await world.member(), await world.freshAdmin()]) {
      await world.refused(actor, "42501", "select public.release_commissions()");
      await world.refused(
        actor,
        "42501",
        "select public.record_affiliate_visit('abcdefgh', null, '')",
      );
    }
  });

  test("is only ever added to, and takes no transaction that doesn't sum to zero", async ({
    world,
  }) => {
    const ada = await world.member();
    await payInvoice(world, await bring(world, ada));
    await expectZeroSum(world);
    for (const table of ["ledger_transactions", "ledger_entries", "affiliate_payouts"]) {
      await world.refused("owner", "P0001", `delete from private.${table}`);
      await world.refused("owner", "P0001", `truncate private.${table} cascade`);
    }
    await world.refused("owner", "P0001", "update private.ledger_entries set amount_pence = 1");
    await world.run("owner", "set constraints all immediate");
    await world.refused(
      "owner",
      "P0001",
      `insert into private.ledger_entries (transaction_id, account, amount_pence)
       select max(id), 'paid', 1 from private.ledger_transactions`,
    );
  });
});
