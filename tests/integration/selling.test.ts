import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  studentPlan,
  type BillingFixture,
  type FunctionResult,
  type Payer,
} from "../support/billing.ts";
import { offerCourse, type OfferedCourse } from "../support/course-offers.ts";
import { testPassword } from "../support/clients.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because these tests pause webhooks.
let billing: BillingFixture;
let stop: () => Promise<void>;
let mentor: Payer;
let course: OfferedCourse;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  ({ ada: mentor } = await billing.member());
  course = await offerCourse(async (text, values) => await billing.sql(text, values), mentor.id);
});
afterAll(async () => await stop());
afterEach(async () => {
  await billing.clearFailures();
  await billing.control("/webhooks/resume", {});
  await billing.deliverWebhooks();
});

async function buy(buyer: Payer, card = "pm_card_visa", more = {}): Promise<FunctionResult> {
  return await billing.call(buyer.client, "stripe-buy-course", {
    slug: course.slug,
    amount_pence: 4000,
    payment_method_id: card,
    ...more,
  });
}

async function remove({ client }: Payer): Promise<FunctionResult> {
  return await billing.call(client, "delete-my-account", { password: testPassword });
}

const paid = { status: 200, body: { success: true, requires_action: false } };

/** Payments that the provider took from an account, in pence. */
async function takenFrom(buyer: Payer): Promise<number[]> {
  const customer = await billing.customerId(buyer);
  if (customer === "") return [];
  const { data } = await billing.stripe.charges.list({ customer, limit: 100 });
  return data.filter((charge) => charge.paid).map(({ amount }) => amount);
}

/** Titles of the lessons the buyer may read; the database's code when it refuses. */
async function lessonsOf({ client }: Payer): Promise<unknown> {
  const { data, error } = await client.rpc("bought_course", { course: course.id });
  if (error) return error.code;
  return (data as { modules: { title: string }[] }).modules.length;
}

async function chargeOf(buyer: Payer): Promise<string> {
  const customer = await billing.customerId(buyer);
  const { data } = await billing.stripe.charges.list({ customer });
  return data.find((charge) => charge.paid)?.id ?? "";
}

async function earned(): Promise<number> {
  const [row] = await billing.sql<{ pence: string }>(
    `select coalesce(sum(b.pending_pence + b.payable_pence), 0) as pence
     from private.affiliates a left join private.affiliate_balances b using (affiliate_id) where a.user_id = $1`,
    [mentor.id],
  );
  return Number(row?.pence);
}

describe("buying a course", () => {
  it("takes the price of the database once, opens the course and nothing else, and pays the mentor's share", async () => {
    const ada = await billing.payer();
    const before = await earned();
    expect(await lessonsOf(ada)).toBe("FF856");
    expect(await buy(ada, "pm_card_visa", { amount: 1, price: 1, price_pence: 1 })).toEqual(paid);
    expect(await takenFrom(ada)).toEqual([4000]);
    expect(await lessonsOf(ada)).toBe(3);
    expect((await earned()) - before).toBe(2800);
    expect(await billing.isMember(ada)).toBe(false);
    expect(await billing.role(ada)).toBe("student");
    const level = await ada.client.rpc("effective_level");
    expect(level.data).toBe(0);
    const library = ["courses", "course_modules", "subcategories", "articles"];
    const others = ["chat_messages", "learning_submissions", "drafts", "notifications"];
    for (const table of [...library, ...others]) {
      expect((await ada.client.from(table).select("id")).data, table).toEqual([]);
    }
    const people = await ada.client.from("profiles").select("id");
    expect(people.data).toEqual([{ id: ada.id }]);
    const member = await ada.client.rpc("member_profile", { member: mentor.id });
    expect(member.data).toBeNull();
    const earlier =
      "update private.course_purchases set created_at = now() - interval '1 day' where user_id = $1";
    await billing.sql(earlier, [ada.id]);
    expect((await buy(ada)).body).toMatchObject({ code: "already_bought" });
    expect(await takenFrom(ada)).toEqual([4000]);
  });

  it("charges once however often and at once it is asked", async () => {
    const ada = await billing.payer();
    const answers = await Promise.all(Array.from({ length: 6 }, () => buy(ada)));
    for (const answer of answers) expect(answer).toEqual(paid);
    await billing.deliverWebhooks();
    expect(await takenFrom(ada)).toEqual([4000]);
  });

  it("waits for the bank's question, and charges nothing when a card is declined", async () => {
    const ada = await billing.payer();
    expect(await buy(ada, "pm_card_chargeDeclined")).toMatchObject({
      status: 402,
      body: { code: "payment_declined", success: false },
    });
    expect(await lessonsOf(ada)).toBe("FF856");
    const asked = await buy(ada, "pm_card_authenticationRequired");
    expect(asked.body).toMatchObject({ success: false, requires_action: true });
    expect(await lessonsOf(ada)).toBe("FF856");
    // Another attempt, such as in a second window, takes the place of the one that waits.
    expect(await buy(ada)).toEqual(paid);
    const intent = String(asked.body["client_secret"]).split("_secret_")[0] ?? "";
    expect((await billing.stripe.paymentIntents.retrieve(intent)).status).toBe("canceled");
    expect(await takenFrom(ada)).toEqual([4000]);
    expect(await lessonsOf(ada)).toBe(3);
  });

  it("charges no other price than the one that the buyer saw", async () => {
    const ada = await billing.payer();
    const setPrice = "update public.courses set price = $2 where id = $1";
    await billing.sql(setPrice, [course.id, 45]);
    expect(await buy(ada)).toMatchObject({ status: 409, body: { code: "price_changed" } });
    for (const amount of [undefined, 3_000_000_000]) {
      expect((await buy(ada, "pm_card_visa", { amount_pence: amount })).status).toBe(400);
    }
    expect(await takenFrom(ada)).toEqual([]);
    await billing.sql(setPrice, [course.id, 40]);
    expect(await buy(ada)).toEqual(paid);
    expect(await takenFrom(ada)).toEqual([4000]);
  });

  it("is refused to its mentor, to members and without a session, and for what is not on sale", async () => {
    expect((await buy(mentor)).body).toMatchObject({ code: "own_course" });
    const { ada: member } = await billing.member();
    expect((await buy(member)).body).toMatchObject({ code: "included_in_membership" });
    const visitor = { ...mentor, client: billing.client(billing.host.anonKey) };
    expect((await buy(visitor)).status).toBe(401);
    const ada = await billing.payer();
    expect((await buy(ada, "pm_card_visa", { slug: "no-such-course" })).status).toBe(404);
    expect(await takenFrom(ada)).toEqual([]);
  });
});

describe("what was bought", () => {
  it("is taken away by a refund in full, with the mentor's share, and can be bought again", async () => {
    const ada = await billing.payer();
    const before = await earned();
    await buy(ada);
    const charge = await chargeOf(ada);
    await billing.stripe.refunds.create({ charge, amount: 1000 });
    await billing.deliverWebhooks();
    expect([await lessonsOf(ada), (await earned()) - before]).toEqual([3, 2100]);
    await billing.stripe.refunds.create({ charge });
    await billing.deliverWebhooks();
    expect([await lessonsOf(ada), await earned()]).toEqual(["FF856", before]);
    const { data } = await ada.client.rpc("my_courses");
    expect(data).toMatchObject([{ state: "refunded", refunded_pence: 4000 }]);
    expect(await buy(ada)).toEqual(paid);
    expect(await lessonsOf(ada)).toBe(3);
  });

  it("is given back within 14 days in full, also when it was begun, once, and by its buyer alone", async () => {
    const [ada, eve] = [await billing.payer(), await billing.payer()];
    const before = await earned();
    await buy(ada);
    await billing.deliverWebhooks();
    expect(await lessonsOf(ada)).toBe(3);
    const courseOf = async () => {
      const { data } = await ada.client.rpc("my_courses");
      return (data as Record<string, unknown>[])[0] ?? {};
    };
    const mine = await courseOf();
    expect(mine).toMatchObject({ state: "paid", withdraw_pence: 4000 });
    const giveBack = (payer: Payer, purchase: unknown) =>
      billing.call(payer.client, "stripe-withdraw", { purchase_id: purchase });
    expect(await giveBack(eve, mine["purchase_id"])).toMatchObject({ status: 409 });
    expect(await giveBack(ada, "no-id")).toMatchObject({ status: 400 });
    // What it takes back is the course, never a membership that is not there.
    expect(await billing.call(ada.client, "stripe-withdraw")).toMatchObject({ status: 409 });
    const answers = await Promise.all([
      giveBack(ada, mine["purchase_id"]),
      giveBack(ada, mine["purchase_id"]),
    ]);
    expect(answers.map(({ body }) => body)).toContainEqual({ refunded_pence: 4000 });
    await billing.deliverWebhooks();
    const charge = await billing.stripe.charges.retrieve(await chargeOf(ada));
    expect(charge.amount_refunded).toBe(4000);
    expect([await lessonsOf(ada), await earned()]).toEqual(["FF856", before]);
    expect(await courseOf()).toMatchObject({ state: "refunded", withdraw_until: null });
    // Bought again it stays: a second time is for staff.
    expect(await buy(ada)).toEqual(paid);
    await billing.deliverWebhooks();
    expect(await courseOf()).toMatchObject({ state: "paid", withdraw_until: null });
  });

  it("can't be given back after the fourteenth day", async () => {
    const ada = await billing.payer();
    await buy(ada);
    await billing.deliverWebhooks();
    const { data } = await ada.client.rpc("my_courses");
    const [mine] = data as Record<string, unknown>[];
    const until = Date.parse(String(mine?.["withdraw_until"])) - Date.now();
    expect(until / 86_400_000).toBeGreaterThan(14);
    await billing.sql(
      `alter table private.payment_records disable trigger payment_records__append_only;
       update private.payment_records r set happened_at = now() - interval '15 days 1 hour' where r.charge_id = '${String(mine?.["number"])}';
       alter table private.payment_records enable trigger payment_records__append_only`,
    );
    const refused = await billing.call(ada.client, "stripe-withdraw", {
      purchase_id: mine?.["purchase_id"],
    });
    expect(refused).toMatchObject({ status: 409, body: { code: "withdrawal_not_possible" } });
    expect(await lessonsOf(ada)).toBe(3);
  });

  it("is closed while the bank disputes the payment, and opens again when that is won", async () => {
    const ada = await billing.payer();
    const before = await earned();
    await buy(ada);
    const dispute = await billing.control("/disputes", { charge: await chargeOf(ada) });
    await billing.deliverWebhooks();
    expect([await lessonsOf(ada), await earned()]).toEqual(["FF856", before]);
    // From a page that was opened before: who pays again would have paid twice once it is won.
    expect(await buy(ada)).toMatchObject({ status: 409, body: { code: "purchase_disputed" } });
    expect(await takenFrom(ada)).toEqual([4000]);
    await billing.control("/disputes/close", { dispute: dispute["id"], outcome: "won" });
    await billing.deliverWebhooks();
    expect([await lessonsOf(ada), (await earned()) - before]).toEqual([3, 2800]);
  });

  it("is found by the reconciliation when answer and webhooks were lost, and so is a refund", async () => {
    const ada = await billing.payer();
    const asked = await buy(ada, "pm_card_authenticationRequired");
    await billing.deliverWebhooks();
    await billing.control("/webhooks/pause", {});
    const intent = String(asked.body["client_secret"]).split("_secret_")[0] ?? "";
    await billing.control("/challenges", { paymentIntent: intent, outcome: "complete" });
    expect(await lessonsOf(ada)).toBe("FF856");
    const later = `update private.course_purchases set checked_at = now() - interval '25 hours', created_at = now() - interval '25 hours' where user_id = $1`;
    await billing.sql(later, [ada.id]);
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    expect(await lessonsOf(ada)).toBe(3);
    await billing.stripe.refunds.create({ charge: await chargeOf(ada) });
    await billing.sql(later, [ada.id]);
    expect(await billing.reconcile({})).toMatchObject({ failed: 0 });
    expect(await lessonsOf(ada)).toBe("FF856");
  });

  it("earns the mentor nothing once it is disputed, although the account was deleted", async () => {
    const ada = await billing.payer();
    const before = await earned();
    await buy(ada);
    const charge = await chargeOf(ada);
    await billing.deliverWebhooks();
    expect(await remove(ada)).toMatchObject({ status: 200 });
    expect((await earned()) - before).toBe(2800);
    await billing.control("/disputes", { charge });
    const deliveries = await billing.deliverWebhooks();
    expect(deliveries.map(({ status }) => status)).not.toContain(500);
    expect(await earned()).toBe(before);
  });

  it("ends with the account: what waits for the bank is cancelled, and what was paid is booked", async () => {
    const [ada, ben] = [await billing.payer(), await billing.payer()];
    const before = await earned();
    await billing.control("/webhooks/pause", {});
    const intents: string[] = [];
    for (const buyer of [ada, ben]) {
      const asked = await buy(buyer, "pm_card_authenticationRequired");
      intents.push(String(asked.body["client_secret"]).split("_secret_")[0] ?? "");
    }
    const [waiting = "", approved = ""] = intents;
    const refuse = { path: `/v1/payment_intents/${waiting}/cancel`, action: "error", status: 400 };
    await billing.control("/faults", { ...refuse, when: "before", times: 10 });
    expect(await remove(ada)).toMatchObject({
      status: 409,
      body: { code: "payment_in_progress" },
    });
    const still = "select from auth.users where id = $1";
    expect(await billing.sql(still, [ada.id])).toHaveLength(1);
    await billing.clearFailures();
    expect(await remove(ada)).toMatchObject({ status: 200 });
    expect((await billing.stripe.paymentIntents.retrieve(waiting)).status).toBe("canceled");
    await billing.control("/challenges", { paymentIntent: approved, outcome: "complete" });
    expect(await remove(ben)).toMatchObject({ status: 200 });
    expect((await earned()) - before).toBe(2800);
  });

  it("is given up when its buyer joins, who has the course with the membership", async () => {
    const ada = await billing.payer();
    const asked = await buy(ada, "pm_card_authenticationRequired");
    expect((await billing.pay(ada, studentPlan)).body).toMatchObject({ success: true });
    const intent = String(asked.body["client_secret"]).split("_secret_")[0] ?? "";
    expect((await billing.stripe.paymentIntents.retrieve(intent)).status).toBe("canceled");
    expect(await takenFrom(ada)).toEqual([5000]);
  });

  it("cannot be paid by an attempt that another has replaced", async () => {
    const ada = await billing.payer();
    const asked = await buy(ada, "pm_card_authenticationRequired");
    const intent = String(asked.body["client_secret"]).split("_secret_")[0] ?? "";
    await billing.control("/challenges", { paymentIntent: intent, outcome: "complete" });
    // The bank's answer came first: the second attempt finds the course paid.
    expect(await buy(ada)).toEqual(paid);
    expect(await takenFrom(ada)).toEqual([4000]);
  });
});
