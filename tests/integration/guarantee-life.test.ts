import { afterAll, beforeAll, expect, it } from "vitest";
import { invoicesOf, studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";
import { timeLimitMs } from "../support/time-limits.ts";

// A product of its own, because this test moves the clock.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());

type Json = Record<string, unknown>;

async function rpc(payer: Payer, name: string, args: Json = {}): Promise<Json> {
  const { data, error } = await payer.client.rpc(name, args);
  expect(error, name).toBeNull();
  return data as Json;
}

async function administrator(): Promise<Payer> {
  const admin = await billing.payer();
  await signInWithSecondFactor(admin.client, admin.email);
  await billing.sql("select private.make_admin($1)", [admin.id]);
  return admin;
}

/** Lets time go by: the provider's clock goes on, and the database's records become that much older. */
async function passTime(step: { months: number } | { days: number }): Promise<void> {
  const time = "months" in step ? `${step.months} months` : `${step.days} days`;
  await billing.advanceClock(step);
  for (const sql of [
    "update private.guarantee_baselines set started_at = started_at - $1::interval",
    "update private.membership_periods set started_at = started_at - $1::interval, ended_at = ended_at - $1::interval",
    "update private.guarantee_claims set filed_at = filed_at - $1::interval, decided_at = decided_at - $1::interval",
  ]) {
    await billing.sql(sql, [time]);
  }
}

/** What a member did: a sixth of what the terms ask for on the second day of each month. */
async function didTheWork({ id }: Payer): Promise<void> {
  await billing.sql(
    `insert into private.progress_ledger (user_id, kind, category, reference, happened_at)
     select $1, k.kind, case when k.kind = 'article_read' then 'general' end, gen_random_uuid()::text,
       b.started_at + m * interval '1 month' + interval '1 day'
     from private.guarantee_baselines b, generate_series(0, 5) m,
       (values ('submission', 2), ('message', 25), ('article_read', 2)) k (kind, events), generate_series(1, k.events)
     where b.user_id = $1`,
    [id],
  );
}

/** Decides as an administrator does in the console: a granted claim is settled in the same act. */
async function decide(admin: Payer, claim: unknown, isGranted: boolean, reason: string) {
  await rpc(admin, "decide_guarantee_claim", { claim_id: claim, is_granted: isGranted, reason });
  if (!isGranted) return;
  // The decision is made by the database's clock, which the provider's has left behind.
  await billing.sql(
    `update private.guarantee_claims set decided_at = (select max(happened_at) from private.payment_records)
     where id = $1`,
    [claim],
  );
  const settled = await billing.call(admin.client, "admin-settle-guarantee", { claim_id: claim });
  expect(settled.body).toMatchObject({ left: 0, renews: false });
  await billing.deliverWebhooks();
}

/** Paid and refunded amounts of each invoice, in pence. */
async function money(payer: Payer): Promise<{ paid: unknown[]; refunded: unknown[] }> {
  const invoices = await invoicesOf(payer);
  return {
    paid: invoices.map((invoice) => invoice["amount_paid_pence"]),
    refunded: invoices.map((invoice) => invoice["amount_refunded_pence"]),
  };
}

const unmet = ({ lines }: Json) => (lines as { met: boolean }[]).filter(({ met }) => !met);

it(
  "six months under the guarantee: one is granted, one lacks two check-ins, one appeals",
  { timeout: timeLimitMs(120) },
  async () => {
    const [ada, ben, cleo] = [
      await billing.memberWith(studentPlan),
      await billing.memberWith(studentPlan),
      await billing.memberWith(studentPlan),
    ];
    const [first, second] = [await administrator(), await administrator()];
    const members = [ada, ben, cleo];
    for (const member of members) {
      await rpc(member, "record_guarantee_baseline", { monthly_pence: 150_000, source: "Salary" });
    }
    for (let month = 1; month <= 6; month += 1) {
      for (const member of members) {
        const isForgotten = (member === ben && month > 4) || (member === cleo && month === 3);
        if (isForgotten) continue;
        await rpc(member, "record_guarantee_check_in", { monthly_pence: 150_000 + month * 1000 });
      }
      await passTime({ months: 1 });
    }
    await passTime({ days: 2 });
    for (const member of members) await didTheWork(member);

    const file = async (member: Payer) =>
      await rpc(member, "file_guarantee_claim", {
        monthly_pence: 158_000,
        statement: "My payslips",
      });
    // Every line is met, so the rules let it through and an administrator decides.
    const adas = await file(ada);
    expect(adas).toMatchObject({ state: "filed" });
    expect(unmet(adas)).toEqual([]);
    const bens = await file(ben);
    expect(bens).toMatchObject({ state: "declined", reason: null });
    expect(unmet(bens)).toEqual([{ line: "check_ins", needed: 6, held: 4, met: false }]);
    const cleos = await file(cleo);
    expect(unmet(cleos)).toEqual([{ line: "check_ins", needed: 6, held: 5, met: false }]);
    await rpc(cleo, "appeal_guarantee_claim", { appeal: "I was in hospital in the third month" });

    const waiting = (await rpc(first, "guarantee_queue")) as unknown as Json[];
    expect(waiting.map(({ user_id: id, state }) => [id, state])).toEqual([
      [ada.id, "filed"],
      [cleo.id, "appealed"],
    ]);
    await decide(first, adas["id"], true, "Payslips seen");
    await decide(second, cleos["id"], true, "Letter of the hospital seen");
    expect(await rpc(first, "guarantee_queue")).toEqual([]);

    // What came in goes back, to the penny, and to these two alone.
    for (const member of [ada, cleo]) {
      const { paid, refunded } = await money(member);
      expect(paid.length).toBeGreaterThanOrEqual(6);
      expect(refunded).toEqual(paid);
      expect(await rpc(member, "my_guarantee_claim")).toMatchObject({ state: "granted" });
    }
    const ofBen = await money(ben);
    expect(ofBen.refunded).toEqual(ofBen.paid.map(() => 0));

    // From then on two are members without being charged; the third pays as before.
    await passTime({ months: 2 });
    for (const member of [ada, cleo]) {
      const { paid, refunded } = await money(member);
      expect(refunded).toEqual(paid);
      expect(await billing.isMember(member)).toBe(true);
      expect((await billing.atProvider(member)).live).toEqual([]);
    }
    expect((await money(ben)).paid.length).toBeGreaterThan(ofBen.paid.length);
    expect(await billing.isMember(ben)).toBe(true);
    const late = { appeal: "After the thirty days" };
    expect((await ben.client.rpc("appeal_guarantee_claim", late)).error).toMatchObject({
      code: "FF679",
    });
  },
);
