import type Stripe from "stripe";
import type { DatabaseClient } from "../database/database-client.ts";
import { z } from "zod";
import { errorForLog, handlePost, jsonResponse, FunctionError } from "../http/responses.ts";
import type { BillingClients } from "./billing-context.ts";
import { requireMember } from "../http/caller.ts";
import type { Deps } from "../deps.ts";
import { BillingDatabase } from "./billing-database.ts";
import { subscriptionNotFound } from "./caller-subscription.ts";
import { discardPlannedChange } from "./planned-change.ts";
import { requireOwnAccount } from "./prices.ts";
import { isInvalidRequest, isResourceMissing, stripeClient } from "./stripe-client.ts";
import { enforceRateLimit } from "../http/rate-limit.ts";
import { parseBody } from "../http/request-body.ts";
import { serviceClient } from "../database/service-client.ts";
import { endsWithPeriod, isEndedSubscription, pendingChangeOf } from "./subscription-snapshot.ts";
import { cancelImmediately, readSubscription } from "./subscriptions.ts";

/** Reasons a member may give, which are the provider's values for feedback. */
const cancellationReasons = [
  "too_expensive",
  "missing_features",
  "switched_service",
  "unused",
  "customer_service",
  "too_complex",
  "low_quality",
  "other",
] as const;

const subject = z.object({
  subscription_id: z.string().min(1).max(255),
  reason: z.enum(cancellationReasons).optional(),
  comment: z.string().trim().max(500).optional(),
});
type CancellationReason = Pick<z.infer<typeof subject>, "reason" | "comment">;

/** What is to happen to a subscription, and what is said when it fails. */
interface RenewalChange {
  name: string;
  /** True to end the subscription with its period, false to renew it. */
  ends: boolean;
  failureMessage: string;
}

/** How one of the members' two renewal functions behaves, and its messages. */
export interface RenewalOptions extends RenewalChange {
  done: string;
}

/** How often a change of renewal is tried beside changes of plan that are made at the same moment. */
const maxTries = 4;

/** False for another member's subscription as well as for a missing one. */
async function isOwnSubscription(
  service: DatabaseClient,
  member: string,
  id: string,
): Promise<boolean> {
  const customers = await service
    .from("stripe_customers")
    .select("customer_id")
    .eq("user_id", member)
    .is("deleted_at", null);
  if (customers.error) throw new Error("the customer cannot be read", { cause: customers.error });
  const own = customers.data.map((row) => row.customer_id);
  if (own.length === 0) return false;
  const { data, error } = await service
    .from("stripe_subscriptions")
    .select("subscription_id")
    .eq("subscription_id", id)
    .in("customer_id", own)
    .is("deleted_at", null);
  if (error) throw new Error("the subscription cannot be read", { cause: error });
  return data.length > 0;
}

/** Ends the subscription with its period, or removes that end. */
async function setRenewal(
  stripe: Stripe,
  held: Stripe.Subscription,
  ends: boolean,
  why: CancellationReason,
  isPaused: boolean,
): Promise<void> {
  // The provider refuses to end a subscription whose plan is to change; the change would not happen anyway.
  if (ends) await discardPlannedChange(stripe, held);
  // Nothing is paid for that could still be used.
  if (ends && isPaused) {
    const { reason: feedback, comment = "" } = why;
    const cancellation_details = { ...(feedback && { feedback }), comment };
    await cancelImmediately(stripe, held.id, { cancellation_details });
    return;
  }
  // The provider's dashboard ends a subscription with `cancel_at`, which is cleared differently.
  const byMoment = !ends && !held.cancel_at_period_end;
  await stripe.subscriptions.update(
    held.id,
    byMoment
      ? { cancel_at: "" }
      : {
          cancel_at_period_end: ends,
          ...(ends && {
            cancellation_details: { feedback: why.reason ?? "", comment: why.comment ?? "" },
          }),
        },
  );
}

/**
 * Reads the subscription again after a failure, so that the tables show what is true.
 * @throws {unknown} the failure, unless the change was made and only its answer was lost.
 */
async function requireRenewal(
  stripe: Stripe,
  database: BillingDatabase,
  id: string,
  renewal: RenewalChange,
  droppedChange: boolean,
  failure: unknown,
): Promise<void> {
  let now: Stripe.Subscription;
  try {
    now = await readSubscription(stripe, database, id);
  } catch {
    throw failure;
  }
  if (endsWithPeriod(now) === renewal.ends) return;
  if (!droppedChange || pendingChangeOf(now).pending_price_id !== null) throw failure;
  const message = `${renewal.failureMessage}. Your planned change of plan was undone.`;
  throw new FunctionError(502, "provider_unavailable", message, { cause: failure });
}

async function logFailure(renewal: RenewalChange, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    console.error(`${renewal.name}: ${errorForLog(error)}`);
  }
}

/**
 * Ends a subscription with its period, or removes that end. The caller has checked whose it is.
 * @returns whether something was to change, and whether a planned change of plan was undone by it.
 * @throws {FunctionError} 404 subscription_not_found, 409 subscription_not_active, or 502 provider_unavailable for the key of
 * another account.
 */
export async function changeRenewal(
  { stripe, database }: BillingClients,
  id: string,
  renewal: RenewalChange,
  why: CancellationReason = {},
): Promise<{ isChanged: boolean; dropsChange: boolean }> {
  try {
    let dropsChange = false;
    for (let tries = 1; ; tries += 1) {
      const held = await readSubscription(stripe, database, id);
      if (isEndedSubscription(held) || held.status === "incomplete") {
        throw new FunctionError(409, "subscription_not_active", "This subscription is not active.");
      }
      if (endsWithPeriod(held) === renewal.ends) return { isChanged: tries > 1, dropsChange };
      dropsChange ||= renewal.ends && pendingChangeOf(held).pending_price_id !== null;
      try {
        await setRenewal(stripe, held, renewal.ends, why, (await database.hold(id)) === "paused");
        break;
      } catch (error) {
        // A change of plan that is made at this moment has put the subscription under its schedule: released with the next try.
        if (isInvalidRequest(error) && tries < maxTries) continue;
        await requireRenewal(stripe, database, id, renewal, dropsChange, error);
        break;
      }
    }
    // The provider has made the change. What fails now is repaired by its events.
    await logFailure(renewal, async () => await readSubscription(stripe, database, id));
    return { isChanged: true, dropsChange };
  } catch (error) {
    if (!isResourceMissing(error)) throw error;
    await requireOwnAccount({ stripe, database });
    throw subscriptionNotFound();
  }
}

/** Answers a call that switches the renewal of the caller's own subscription on or off. */
export async function handleRenewal(
  request: Request,
  deps: Deps,
  renewal: RenewalOptions,
): Promise<Response> {
  return await handlePost(request, renewal, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    const { subscription_id: id, ...why } = await parseBody(request, subject);
    await enforceRateLimit(service, caller, "change_renewal");
    if (!(await isOwnSubscription(service, caller.id, id))) throw subscriptionNotFound();
    const database = new BillingDatabase(service);
    const billing = { stripe: stripeClient(deps), database };
    const { isChanged, dropsChange } = await changeRenewal(billing, id, renewal, why);
    await logFailure(renewal, async () => {
      const { reason = null, comment = "" } = why;
      if (!isChanged || !renewal.ends) return;
      await database.recordCancellation(caller.id, id, { reason, comment: comment || null });
    });
    return jsonResponse(200, {
      message: renewal.done,
      ...(dropsChange && { plan_change_dropped: true }),
    });
  });
}
