import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { recordPayment } from "./payment-world.ts";
import type { World } from "./world.ts";

/** A moment so many hours from now, in whole seconds, as the card provider gives them. */
export function inHours(hours: number): string {
  return new Date(Math.floor(Date.now() / 1000 + hours * 3600) * 1000).toISOString();
}

/** The code of a member's link, made on the first look. */
export async function codeOf(world: World, member: string): Promise<string> {
  const { affiliate } = await world.one(member, "select public.my_affiliate() as affiliate");
  return (affiliate as { code: string }).code;
}

/** What the edge function calls a visitor. */
export const newVisitor = (): string => randomBytes(32).toString("hex");

/** A visit by a link, as the edge function records it, of a new visitor; null when it is not remembered. */
export async function recordVisit(world: World, code: string, known: string | null = null) {
  const sql = "select public.record_affiliate_visit($1, $2, $3) as visit";
  const { visit: id } = await world.one("service_role", sql, [code, known, newVisitor()]);
  return id as string | null;
}

/** Makes a visit older than visits count. */
export async function ageVisit(world: World, visitId: string | null): Promise<void> {
  const sql = `update private.affiliate_visits set first_at = now() - interval '61 days'
    where visit_hash = private.hash_visit($1)`;
  expect(await world.count("owner", sql, [visitId])).toBe(1);
}

/** Whether an account's claim to have been brought by a visit counts. */
export async function claimVisit(world: World, account: string, visitId: string | null) {
  const sql = "select public.claim_referral($1) as counts";
  return (await world.one(account, sql, [visitId]))["counts"] === true;
}

/** A new account that was brought by a member's link. */
export async function bring(world: World, affiliate: string): Promise<string> {
  const id = await recordVisit(world, await codeOf(world, affiliate));
  const account = await world.newcomer();
  expect(await claimVisit(world, account, id)).toBe(true);
  return account;
}

/** A payment of £50 by an account, with its invoice. */
export async function payInvoice(
  world: World,
  account: string,
  charge: Record<string, unknown> = {},
) {
  const invoice = { invoice_id: `in_${crypto.randomUUID()}`, card_fingerprint: account };
  return await recordPayment(world, account, { at: inHours(1), ...invoice, ...charge });
}

/** What stands for a member in the ledger. */
export async function affiliateIdOf(world: World, member: string): Promise<string> {
  const sql = "select affiliate_id as id from private.affiliates where user_id = $1";
  return String((await world.one("owner", sql, [member]))["id"]);
}

/** Pence that are pending, payable and paid for a member. */
export async function balanceOf(world: World, member: string): Promise<number[]> {
  const sql = `select b.pending_pence::integer, b.payable_pence::integer, b.paid_pence::integer
    from private.affiliates a left join private.affiliate_balances b using (affiliate_id) where a.user_id = $1`;
  return Object.values(await world.one("owner", sql, [member])).map(Number);
}

/** The sum over the whole ledger, and of each transaction that is not zero. */
export async function expectZeroSum(world: World): Promise<void> {
  await world.run("owner", "set constraints all immediate");
  await world.run("owner", "set constraints all deferred");
  const { sum } = await world.one(
    "owner",
    "select coalesce(sum(amount_pence), 0)::integer as sum from private.ledger_entries",
  );
  expect(sum).toBe(0);
}

/** Moves the end of the waiting time of an affiliate's commissions into the past. */
export async function endWaiting(world: World, member: string): Promise<void> {
  await world.run(
    "owner",
    `update private.commissions k set payable_at = now() from private.affiliates a
     where a.affiliate_id = k.affiliate_id and a.user_id = $1`,
    [member],
  );
}

/** The same, and runs the job. */
export async function release(world: World, member: string): Promise<void> {
  await endWaiting(world, member);
  await world.run("service_role", "select public.release_commissions()");
}
