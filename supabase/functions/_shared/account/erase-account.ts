import type Stripe from "stripe";
import { BillingDatabase } from "../billing/billing-database.ts";
import { endOpenPayments } from "../billing/pay-once.ts";
import { syncCharges } from "../billing/charges.ts";
import { CoursePurchases } from "../billing/course-purchases.ts";
import { GiftPurchases } from "../billing/gifts.ts";
import {
  isMembership,
  membershipPrices,
  openMemberships,
} from "../billing/membership-subscription.ts";
import { requireOwnAccount } from "../billing/prices.ts";
import { orWhenMissing, stripeClient } from "../billing/stripe-client.ts";
import { isActiveSubscription, isEndedSubscription } from "../billing/subscription-snapshot.ts";
import {
  cancelImmediately,
  abandonUnpaidSubscription,
  readSubscription,
} from "../billing/subscriptions.ts";
import type { DatabaseClient } from "../database/database-client.ts";
import { serviceClient } from "../database/service-client.ts";
import type { Deps } from "../deps.ts";
import type { Member } from "../http/caller.ts";
import { FunctionError } from "../http/responses.ts";
import { makeOwedRefunds } from "./make-owed-refunds.ts";

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
 * Deletes an account: makes the refunds it was promised, ends the subscriptions and open payments, removes the files, then
 * deletes the account with its rows. After a failure it can be repeated and continues. Whether the account may go is for the
 * caller to decide, administrators aside.
 * @param isOwedPaid the promised refunds were paid in another way
 * @throws {FunctionError} for an administrator, while a promised refund can't be made, and while a payment is still going through.
 */
export async function eraseAccount(
  deps: Deps,
  account: Member,
  { isOwedPaid = false } = {},
): Promise<void> {
  const service = serviceClient(deps);
  await refuseAdministrators(service, account);
  const stripe = stripeClient(deps);
  const makeRefunds = async () => {
    if (!isOwedPaid) await makeOwedRefunds(deps, account);
  };
  await makeRefunds();
  await endPayments(stripe, service, account);
  // A payment that was read only now can belong to a promise, such as a renewal of a granted claim.
  await makeRefunds();
  for (const bucket of memberBuckets) await removeFiles(service, bucket, account);
  // Again, for a purchase that began and a claim that was granted meanwhile in another window.
  await endPayments(stripe, service, account);
  await makeRefunds();
  const { error } = await service.auth.admin.deleteUser(account.id);
  if (error) throw new Error("the account cannot be deleted", { cause: error });
}

/** Administrators are removed by the operator only, so that the last one is not removed by mistake. */
async function refuseAdministrators(service: DatabaseClient, account: Member): Promise<void> {
  const { data, error } = await service
    .from("profiles")
    .select("role")
    .eq("id", account.id)
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
async function endPayments(
  stripe: Stripe,
  service: DatabaseClient,
  account: Member,
): Promise<void> {
  const database = new BillingDatabase(service);
  await database.abandonAttempts(account.id);
  const { data, error } = await service
    .from("stripe_customers")
    .select("customer_id, deleted_at, stripe_subscriptions(subscription_id)")
    .eq("user_id", account.id);
  if (error) throw new Error("the subscriptions cannot be read", { cause: error });
  for (const { customer_id: customer, deleted_at: goneAt, stripe_subscriptions: rows } of data) {
    const ids = new Set(rows.flatMap(({ subscription_id: id }) => id ?? []));
    // One that was bought a moment ago has no row yet.
    const open = goneAt === null ? await openMemberships({ stripe, database }, customer) : [];
    for (const { id } of open) ids.add(id);
    for (const id of ids) await endSubscription(stripe, database, id);
  }
  for (const purchases of [new CoursePurchases(service), new GiftPurchases(service)]) {
    await endOpenPayments({ stripe, database, purchases }, account);
  }
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
  account: Member,
): Promise<void> {
  const files = service.storage.from(bucket);
  for (;;) {
    const listed = await files.list("", { search: `${account.id}-`, limit: pageSize });
    if (listed.error) throw new Error(`${bucket} cannot be listed`, { cause: listed.error });
    const names = listed.data.map(({ name }) => name);
    if (names.length === 0) return;
    const removed = await files.remove(names);
    if (removed.error) throw new Error(`${bucket} cannot be emptied`, { cause: removed.error });
    if (removed.data.length === 0) throw new Error(`${bucket} keeps ${names.join(", ")}`);
  }
}
