import type Stripe from "stripe";
import { z } from "zod";
import { callRpc, type DatabaseClient } from "../database/database-client.ts";
import { errorForLog, FunctionError } from "../http/responses.ts";
import type { BillingClients } from "./billing-context.ts";
import { syncInvoice } from "./invoices.ts";
import { codesToKeep, keptCode, keptDiscounts, type KeptCode } from "./pause-codes.ts";
import { isServerError } from "./stripe-client.ts";
import { endsWithPeriod, idOf, isActiveSubscription } from "./subscription-snapshot.ts";
import { subscriptionNotFound } from "./caller-subscription.ts";
import { readSubscription } from "./subscriptions.ts";

const begun = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("begun"),
    pause_id: z.string(),
    subscription_id: z.string(),
    /** End of the period that was paid for, epoch seconds. */
    begins: z.number(),
  }),
  z.object({
    state: z.enum([
      "not_found",
      "paused",
      "on_hold",
      "trial",
      "overdue",
      "ending",
      "change_planned",
      "used_up",
      "too_long",
    ]),
    left: z.number(),
  }),
]);

const openPause = z
  .object({
    pause_id: z.string(),
    begins: z.number(),
    tries: z.number(),
    codes: z.array(keptCode),
  })
  .nullable();

const refusals = {
  paused: ["already_paused", "Your membership is paused already, or is about to be."],
  on_hold: [
    "membership_on_hold",
    "Your membership is on hold because a payment is disputed. Please contact support.",
  ],
  trial: ["pause_not_possible", "You can pause once your free days are over."],
  overdue: ["pause_not_possible", "Your last payment failed. Save a card first, then pause."],
  ending: [
    "subscription_ending",
    "Your membership is ending. Keep it first if you want to pause it instead.",
  ],
  change_planned: [
    "plan_change_planned",
    "You have planned to change your plan. Undo that first, then pause.",
  ],
  used_up: ["pause_used_up", "You've paused as long as you can within twelve months."],
} as const;

const renewing = () =>
  new FunctionError(
    409,
    "renewal_in_progress",
    "A payment for your membership is being taken right now. Please try again in an hour.",
  );

function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem | null {
  return subscription.items.data[0] ?? null;
}

/** False while an invoice is being collected: it would be charged although the member has just paused. */
function isSettled({ latest_invoice: invoice }: Stripe.Subscription): boolean {
  const status = typeof invoice === "object" ? invoice?.status : null;
  return status !== "draft" && status !== "open";
}

/**
 * Pauses a member's membership from the end of the period that is paid for. The database decides whether and how long; the
 * provider then makes no charge until `resumeMembership`.
 * @throws {FunctionError} with the codes of docs/error-codes.md.
 */
export async function pauseMembership(
  { stripe, database }: BillingClients,
  service: DatabaseClient,
  member: string,
  months: number,
): Promise<void> {
  const plan = begun.parse(await callRpc(service, "billing_begin_pause", { member, months }));
  if (plan.state === "not_found") throw subscriptionNotFound();
  if (plan.state === "too_long") {
    const message = `You can pause for up to ${plan.left} more ${plan.left === 1 ? "month" : "months"} for now.`;
    throw new FunctionError(409, "pause_used_up", message);
  }
  if (plan.state !== "begun") {
    const [code, message] = refusals[plan.state];
    throw new FunctionError(409, code, message);
  }
  const { pause_id: pause, subscription_id: id, begins } = plan;
  const settle = async (isPaused: boolean, codes: KeptCode[] = []): Promise<void> => {
    const args = { member, pause, is_paused: isPaused, codes };
    await callRpc(service, "billing_settle_pause", args);
  };
  let codes: KeptCode[] = [];
  try {
    const held = await stripe.subscriptions.retrieve(id, {
      expand: ["latest_invoice", "discounts"],
    });
    if (!isSettled(held) || itemOf(held)?.current_period_end !== begins) throw renewing();
    codes = codesToKeep(held, begins);
    const paused = await stripe.subscriptions.update(id, {
      pause_collection: { behavior: "void" },
    });
    if (itemOf(paused)?.current_period_end !== begins) {
      // It renewed in between, and that payment is for a period which the pause must not take.
      await stripe.subscriptions.update(id, { pause_collection: "" });
      throw renewing();
    }
  } catch (error) {
    if (!(error instanceof FunctionError)) {
      const now = await stripe.subscriptions.retrieve(id).catch(() => null);
      // Without an answer it stays open: the next reading of the subscription says whether it was made.
      if (now === null) throw error;
      if (now.pause_collection !== null) {
        await settle(true, codes);
        await readSubscription(stripe, database, id);
        return;
      }
    }
    await settle(false);
    throw error;
  }
  await settle(true, codes);
  await readSubscription(stripe, database, id);
}

/** How taking a membership up again ended. */
export type Resumption = "resumed" | "not_paused" | "declined";

/**
 * Takes a paused membership up again. Before the pause has begun nothing is charged; after that a whole period begins now, at
 * the price and with the months of a code that there were. Repeating the call charges nothing twice.
 * @throws {FunctionError} 409 subscription_ending.
 */
export async function resumeMembership(
  { stripe, database }: BillingClients,
  service: DatabaseClient,
  id: string,
): Promise<Resumption> {
  const held = await readSubscription(stripe, database, id);
  if (held.pause_collection === null) return "not_paused";
  const start = itemOf(held)?.current_period_start ?? 0;
  const pause = openPause.parse(await callRpc(service, "billing_open_pause", { subscription: id }));
  if (pause === null || start < pause.begins) {
    await stripe.subscriptions.update(id, { pause_collection: "" });
    await readSubscription(stripe, database, id);
    return "resumed";
  }
  if (endsWithPeriod(held)) {
    const message = "Your membership is ending. Choose a plan to come back.";
    throw new FunctionError(409, "subscription_ending", message);
  }
  const invoice = await startPeriod(stripe, service, held, pause);
  const note = { pause: pause.pause_id, tries: pause.tries, invoice };
  await callRpc(service, "billing_note_resume", note);
  // The page shows it at once; its events come when they come.
  if (invoice !== null) await syncInvoice({ stripe, database }, invoice);
  const after = await readSubscription(stripe, database, id);
  return isActiveSubscription(after) ? "resumed" : "declined";
}

/** Begins a period now and charges it. @returns its invoice. */
async function startPeriod(
  stripe: Stripe,
  service: DatabaseClient,
  held: Stripe.Subscription,
  { pause_id: pause, tries, codes }: NonNullable<z.infer<typeof openPause>>,
): Promise<string | null> {
  const key = `resume-${pause}-${tries}`;
  const begin = {
    billing_cycle_anchor: { type: "now" },
    proration_behavior: "none",
    payment_behavior: "allow_incomplete",
    expand: ["latest_invoice"],
  } satisfies Stripe.SubscriptionUpdateParams;
  try {
    const discounts = codes.length === 0 ? null : await keptDiscounts(stripe, held, codes, key);
    const started = await stripe.subscriptions.update(
      held.id,
      { ...begin, pause_collection: "", ...(discounts !== null && { discounts }) },
      { idempotencyKey: key },
    );
    const { latest_invoice: first } = started;
    if (typeof first !== "object" || first?.status !== "void") return idOf(first);
    // Where the provider still took the invoice for one of the pause, it is made again.
    const again = await stripe.subscriptions.update(held.id, begin, {
      idempotencyKey: `${key}-again`,
    });
    return idOf(again.latest_invoice);
  } catch (error) {
    // The provider repeats its own failure under the same key for a day.
    if (isServerError(error)) {
      await callRpc(service, "billing_note_resume", { pause, tries });
    }
    throw error;
  }
}

/** Takes up again what was paused long enough. A card that is refused makes the membership past due, as at any renewal. */
export async function resumeDue(
  billing: BillingClients,
  service: DatabaseClient,
  attempt: (what: string, step: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const due = z.array(z.string()).parse(await callRpc(service, "billing_pauses_due", {}));
  for (const id of due) {
    await attempt(`pause of ${id}`, async () => {
      const result = await resumeMembership(billing, service, id);
      if (result === "declined") console.error(errorForLog(`${id} could not be charged`));
    });
  }
}
