import type Stripe from "stripe";
import { createClient } from "@supabase/supabase-js";
import type { DatabaseClient } from "../_shared/database/database-client.ts";
import { z } from "zod";
import { handlePost, jsonResponse, FunctionError } from "../_shared/http/responses.ts";
import { publishableKey } from "../_shared/api-keys.ts";
import { requireMember, type Member } from "../_shared/http/caller.ts";
import { requireEnv, type Deps } from "../_shared/deps.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { endCoursePurchases } from "../_shared/billing/buy-course.ts";
import { syncCharges } from "../_shared/billing/charges.ts";
import { CoursePurchases } from "../_shared/billing/course-purchases.ts";
import {
  isMembership,
  membershipPrices,
  openMemberships,
} from "../_shared/billing/membership-subscription.ts";
import { requireOwnAccount } from "../_shared/billing/prices.ts";
import { orWhenMissing, stripeClient } from "../_shared/billing/stripe-client.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import {
  isActiveSubscription,
  isEndedSubscription,
} from "../_shared/billing/subscription-snapshot.ts";
import {
  cancelImmediately,
  abandonUnpaidSubscription,
  readSubscription,
} from "../_shared/billing/subscriptions.ts";

const options = { name: "delete-my-account", failureMessage: "Your account could not be deleted." };
const requestBody = z.object({ password: z.string().min(1).max(1000) });

/** Buckets with members' files, whose names begin with the owner's id. */
const memberBuckets = [
  "verification-documents",
  "guarantee-documents",
  "learning-images",
  "profile-pictures",
  "message-pictures",
] as const;
const pageSize = 100;

/**
 * Deletes the caller's account: ends the subscriptions and open payments, removes the files, then deletes the account with its rows.
 * After a failure the call can be repeated and continues.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    const { password } = await parseBody(request, requestBody);
    await enforceRateLimit(service, caller, "delete_account");
    await requirePassword(deps, caller, password);
    await refuseAdministrators(service, caller);
    const stripe = stripeClient(deps);
    await endPayments(stripe, service, caller);
    for (const bucket of memberBuckets) await removeFiles(service, bucket, caller);
    // Again, for a purchase that began meanwhile in another window.
    await endPayments(stripe, service, caller);
    const { error } = await service.auth.admin.deleteUser(caller.id);
    if (error) throw new Error("the account cannot be deleted", { cause: error });
    return jsonResponse(200, { message: "Your account has been deleted" });
  });
}

/** Requires the account's password, because an open browser session is not enough to delete an account. */
async function requirePassword(deps: Deps, caller: Member, password: string): Promise<void> {
  const visitor = createClient(requireEnv(deps, "SUPABASE_URL"), publishableKey(deps), {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  const { error } = await visitor.auth.signInWithPassword({ email: caller.email ?? "", password });
  if (error === null) return;
  if (error.code === "invalid_credentials") {
    throw new FunctionError(403, "wrong_password", "This is not your password.");
  }
  if (error.status === 429) {
    throw new FunctionError(429, "too_many_attempts", "Too many attempts. Please try again later.");
  }
  throw error;
}

/** Administrators are removed by the operator only, so that the last one is not removed by mistake. */
async function refuseAdministrators(service: DatabaseClient, caller: Member): Promise<void> {
  const { data, error } = await service
    .from("profiles")
    .select("role")
    .eq("id", caller.id)
    .maybeSingle();
  if (error) throw new Error("the profile cannot be read", { cause: error });
  if (data?.role === "admin") {
    throw new FunctionError(409, "administrator", "Administrators are removed by the operator.");
  }
}

/**
 * Ends what the account pays for and is about to pay for, and reads its payments, whose events come too late for its rows.
 * @throws {FunctionError} while a payment is still going through.
 */
async function endPayments(stripe: Stripe, service: DatabaseClient, caller: Member): Promise<void> {
  const database = new BillingDatabase(service);
  await database.abandonAttempts(caller.id);
  const { data, error } = await service
    .from("stripe_customers")
    .select("customer_id, deleted_at, stripe_subscriptions(subscription_id)")
    .eq("user_id", caller.id);
  if (error) throw new Error("the subscriptions cannot be read", { cause: error });
  for (const { customer_id: customer, deleted_at: goneAt, stripe_subscriptions: rows } of data) {
    const ids = new Set(rows.flatMap(({ subscription_id: id }) => id ?? []));
    // One that was bought a moment ago has no row yet.
    const open = goneAt === null ? await openMemberships({ stripe, database }, customer) : [];
    for (const { id } of open) ids.add(id);
    for (const id of ids) await endSubscription(stripe, database, id);
  }
  await endCoursePurchases({ stripe, database, purchases: new CoursePurchases(service) }, caller);
  for (const { customer_id: customer } of data) await syncCharges({ stripe, database }, customer);
}

async function endSubscription(
  stripe: Stripe,
  database: BillingDatabase,
  id: string,
): Promise<void> {
  const known = await orWhenMissing(readSubscription(stripe, database, id), null);
  if (known === null) {
    await requireOwnAccount({ stripe, database });
    return;
  }
  // What another product charges to the same customer goes on.
  if (!isMembership(known, await membershipPrices(database))) return;
  let held = known;
  if (isActiveSubscription(held)) {
    await cancelImmediately(stripe, id);
    held = await readSubscription(stripe, database, id);
  } else if (!isEndedSubscription(held))
    held = await abandonUnpaidSubscription(stripe, database, id);
  if (!isEndedSubscription(held)) {
    const wait = "A payment is still going through. Please try again in a few minutes.";
    throw new FunctionError(409, "payment_in_progress", wait);
  }
}

async function removeFiles(
  service: DatabaseClient,
  bucket: (typeof memberBuckets)[number],
  caller: Member,
): Promise<void> {
  const files = service.storage.from(bucket);
  for (;;) {
    const listed = await files.list("", { search: `${caller.id}-`, limit: pageSize });
    if (listed.error) throw new Error(`${bucket} cannot be listed`, { cause: listed.error });
    const names = listed.data.map(({ name }) => name);
    if (names.length === 0) return;
    const removed = await files.remove(names);
    if (removed.error) throw new Error(`${bucket} cannot be emptied`, { cause: removed.error });
    if (removed.data.length === 0) throw new Error(`${bucket} keeps ${names.join(", ")}`);
  }
}
