import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import {
  affiliateIdOf,
  ageVisit,
  balanceOf,
  bring,
  claimVisit,
  codeOf,
  expectZeroSum,
  inHours,
  release,
  recordVisit,
} from "./affiliate-world.ts";
import { offerCourse } from "../support/course-offers.ts";
import { beginCoursePurchase, recordIntent } from "./selling-world.ts";
import type { World } from "./world.ts";
import { madeUpTicket } from "./made-up-tickets.ts";

/** What the provider says about one payment at one moment; a reading with a lower ticket is older. */
export interface Reading {
  payment: number;
  ticket: number;
  refunded: number;
  dispute: "open" | "won" | "lost" | null;
}
export type HistoryStep =
  | { kind: "reading"; reading: Reading }
  | { kind: "visit"; isOld: boolean }
  | { kind: "claim"; by: "affiliate" | "brought" | "other" | "newcomer"; visit: number }
  | { kind: "release" }
  | { kind: "forget"; whom: "brought" | "other" }
  | { kind: "payout"; to: "affiliate" | "mentor" };

const reading = fc.record({
  payment: fc.nat(8),
  ticket: fc.integer({ min: 1, max: 30 }),
  refunded: fc.constantFrom(0, 0, 0, 1, 2499, 5000),
  dispute: fc.constantFrom(null, null, "open" as const, "won" as const, "lost" as const),
});
/** Steps of a history in any order. */
export const anyStep: fc.Arbitrary<HistoryStep> = fc.oneof(
  { weight: 8, arbitrary: reading.map((it) => ({ kind: "reading" as const, reading: it })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(false, false, true)
      .map((isOld) => ({ kind: "visit" as const, isOld })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("claim" as const),
      by: fc.constantFrom("affiliate", "brought", "other", "other", "newcomer"),
      visit: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "release" as const }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("brought" as const, "other" as const)
      .map((whom) => ({ kind: "forget" as const, whom })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("affiliate" as const, "mentor" as const)
      .map((to) => ({ kind: "payout" as const, to })),
  },
);

/**
 * Who makes each payment. Nobody brought the other account at first, but it may claim a visit before it pays. One payment has no
 * invoice, two are for a course, and one never succeeds.
 */
const payers = [
  ...(["brought", "brought", "brought", "brought"] as const),
  ...(["other", "other", "brought", "other", "brought"] as const),
];
const withoutInvoice = 3;
const courses = [6, 7];
const failing = 8;

function shareOf({ payment, refunded, dispute }: Reading, share: number): number {
  if (payment === failing || refunded === 5000 || dispute === "open" || dispute === "lost")
    return 0;
  return Math.floor(((5000 - refunded) * share) / 100);
}

/** Pence that a payment of an account that the affiliate's link brought earns the affiliate. */
function dueFor(it: Reading): number {
  return it.payment === withoutInvoice ? 0 : shareOf(it, courses.includes(it.payment) ? 10 : 20);
}

/** Pence that it earns the mentor of the course. */
function dueForMentor(it: Reading): number {
  return courses.includes(it.payment) ? shareOf(it, 70) : 0;
}

/** Commissions that should not be: of what was not paid, without an invoice or a purchase, or a second one of an invoice. */
const wrongCommissionsSql = `
  select k.charge_id from private.commissions k
  where not exists (
      select from private.payment_records p where p.charge_id = k.charge_id and p.kind = 'payment' and p.status = 'succeeded'
    ) and k.charge_id like $1
    or (k.kind = 'membership') <> (k.invoice_id is not null) and k.charge_id like $1
  union all
  select max(k.charge_id) from private.commissions k where k.charge_id like $1
  group by coalesce(k.invoice_id, k.charge_id), k.affiliate_id having count(*) > 1
  union all
  select t.charge_id from private.ledger_transactions t
  join private.ledger_entries e on e.transaction_id = t.id
  where t.charge_id like $1 and t.kind = 'commission' and e.account = 'house'
  group by t.charge_id, t.affiliate_id having -sum(e.amount_pence) not between 0 and 3500`;

/** Takes a reading of a payment as the webhook does. */
export async function applyReading(
  world: World,
  accounts: Record<string, string>,
  it: Reading,
): Promise<void> {
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
    invoice_id:
      it.payment === withoutInvoice || courses.includes(it.payment) ? null : `in_${charge}`,
    payment_intent_id: `pi_${charge}`,
    records: [
      {
        kind: "payment",
        id: charge,
        status: it.payment === failing ? "failed" : "succeeded",
        amount: 5000,
        created: Date.parse(inHours(1)) / 1000,
      },
    ],
  };
  const sql = "select public.billing_apply_charge($1, $2)";
  await world.run("service_role", sql, [madeUpTicket(it.ticket), JSON.stringify(snapshot)]);
}

/** Two accounts, who earns by what they pay, and what the ledger should hold of it. */
export class History {
  readonly #world: World;
  readonly #admin: string;
  /** By payment, the ticket of its latest reading and what it earns. */
  readonly #latest = new Map<number, number>();
  readonly #held = new Map<number, { affiliate: number; mentor: number }>();
  readonly #gone = new Set<string>();
  readonly #visits: { id: string | null; isOpen: boolean }[] = [];
  readonly #paid = new Set<string>();
  readonly #referred = new Set<string>(["brought"]);
  readonly earners: { affiliate: string; mentor: string };
  readonly accounts: { brought: string; other: string };

  private constructor(world: World, admin: string, who: Pick<History, "earners" | "accounts">) {
    this.#world = world;
    this.#admin = admin;
    this.earners = who.earners;
    this.accounts = who.accounts;
  }

  static async begin(world: World, admin: string): Promise<History> {
    const affiliate = await world.member();
    const accounts = { brought: await bring(world, affiliate), other: await world.newcomer() };
    for (const account of Object.values(accounts)) {
      const record = "select public.billing_record_customer($1, $2)";
      await world.run("service_role", record, [account, `cus_${account}`]);
    }
    const mentor = await world.member("mentor-access");
    const course = await offerCourse(
      async (text, values) => await world.run("owner", text, values),
      mentor,
      { price: 50 },
    );
    for (const payment of courses) {
      const buyer = accounts[payers[payment] ?? "other"];
      const purchase = await beginCoursePurchase(world, buyer, course);
      await recordIntent(world, purchase, `pi_ch_${accounts.brought}_${payment}`);
    }
    return new History(world, admin, { earners: { affiliate, mentor }, accounts });
  }

  async take(it: HistoryStep): Promise<void> {
    const { affiliate, mentor } = this.earners;
    if (it.kind === "reading") await this.#read(it.reading);
    else if (it.kind === "visit") await this.#visit(it.isOld);
    else if (it.kind === "claim") await this.#claim(it.by, it.visit);
    else if (it.kind === "forget") {
      this.#gone.add(it.whom);
      const sql = "delete from auth.users where id = $1";
      await this.#world.run("owner", sql, [this.accounts[it.whom]]);
    } else if (it.kind === "release") {
      await release(this.#world, affiliate);
      await release(this.#world, mentor);
    } else {
      const id = await affiliateIdOf(this.#world, this.earners[it.to]);
      const [, payable = 0] = await balanceOf(this.#world, this.earners[it.to]);
      const pay = "select public.admin_mark_payout($1, $2, 'BANK')";
      if (payable >= 1000) await this.#world.run(this.#admin, pay, [id, payable]);
      else await this.#world.refused(this.#admin, "FF634", pay, [id, payable]);
    }
  }

  async #read(it: Reading): Promise<void> {
    await applyReading(this.#world, this.accounts, it);
    const payer = payers[it.payment] ?? "other";
    const due = {
      affiliate: this.#referred.has(payer) ? dueFor(it) : 0,
      mentor: dueForMentor(it),
    };
    const before = this.#held.get(it.payment);
    if (this.#gone.has(payer)) {
      // What a deleted account paid only ever earns less.
      if (before) {
        this.#held.set(it.payment, {
          affiliate: Math.min(before.affiliate, due.affiliate),
          mentor: Math.min(before.mentor, due.mentor),
        });
      }
    } else if ((this.#latest.get(it.payment) ?? 0) < it.ticket) {
      this.#paid.add(payer);
      this.#latest.set(it.payment, it.ticket);
      this.#held.set(it.payment, due);
    }
  }

  async #visit(isOld: boolean): Promise<void> {
    const id = await recordVisit(this.#world, await codeOf(this.#world, this.earners.affiliate));
    this.#visits.push({ id, isOpen: !isOld });
    if (isOld) await ageVisit(this.#world, id);
  }

  async #claim(by: (HistoryStep & { kind: "claim" })["by"], n: number): Promise<void> {
    if (by !== "affiliate" && by !== "newcomer" && this.#gone.has(by)) return;
    const accounts = { ...this.accounts, affiliate: this.earners.affiliate };
    const account = by === "newcomer" ? await this.#world.newcomer() : accounts[by];
    const visit = this.#visits[n];
    const mayCount =
      by === "newcomer" || (by === "other" && !this.#referred.has(by) && !this.#paid.has(by));
    const counts = await claimVisit(this.#world, account, visit?.id ?? randomUUID());
    expect(counts).toBe(visit?.isOpen === true && mayCount);
    if (!counts || !visit) return;
    visit.isOpen = false;
    this.#referred.add(by);
  }

  /** Expects the ledger to hold exactly what was earned, and to sum to zero. */
  async check(): Promise<void> {
    for (const earner of ["affiliate", "mentor"] as const) {
      const books = await balanceOf(this.#world, this.earners[earner]);
      const held = this.#held.values().reduce((sum, of) => sum + of[earner], 0);
      expect(books.reduce((a, b) => a + b, 0)).toBe(held);
    }
    const own = `ch_${this.accounts.brought}_%`;
    expect(await this.#world.run("owner", wrongCommissionsSql, [own])).toEqual([]);
    await expectZeroSum(this.#world);
  }
}
