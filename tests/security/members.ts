import type { SupabaseClient } from "@supabase/supabase-js";
import { inject } from "vitest";
import { finishOnboarding, onePixelPng } from "../../tools/demo/join.ts";
import { ownerPool, signUp, type Account } from "../support/clients.ts";
import { enrollSecondFactor, type EnrolledFactor } from "../support/second-factor.ts";

type Plan = "student-access" | "mentor-access";
type Row = Record<string, unknown>;

/** Reads stored rows and acts as a webhook or an operator, past the API. The files of a process share it; it ends with them. */
export const owner = ownerPool();

/** All rows of one account in one of our tables, as stored. */
export async function stored(table: string, column: string, id: string): Promise<Row[]> {
  const { rows } = await owner.query<Row>(`select * from public.${table} where ${column} = $1`, [
    id,
  ]);
  return rows;
}

/** Gives an account a live subscription, as a webhook would, that no reconciliation looks for at the provider today. */
export async function startMembership(id: string, plan: Plan = "student-access"): Promise<void> {
  await owner.query(
    `with customer as (
       insert into public.stripe_customers (customer_id, user_id) values ('cus_test_' || $1, $1::uuid) returning customer_id
     ), checked as (
       insert into private.billing_checks (customer_id, checked_at) select customer_id, now() from customer
     )
     insert into public.stripe_subscriptions (customer_id, subscription_id, status, price_id)
       select customer_id, 'sub_test_' || $1, 'active', (select price_id from public.plans where id = $2) from customer`,
    [id, plan],
  );
  await owner.query("select private.set_role_from_plan($1, private.plan_role($1))", [id]);
}

export async function setSubscriptionStatus(id: string, status: string): Promise<void> {
  await owner.query(
    "update public.stripe_subscriptions set status = $2 where customer_id = 'cus_test_' || $1",
    [id, status],
  );
}

/** A new account with a profile, created with the spec's call. */
export async function newcomer(): Promise<Account> {
  const account = await signUp();
  const { error } = await account.client
    .from("profiles")
    .insert({ id: account.id, onboarding_complete: false, role: "student" });
  if (error) throw new Error(error.message);
  return account;
}

/** An account that has paid and onboarded with the calls of the app. */
export async function member(plan: Plan = "student-access"): Promise<Account> {
  const account = await newcomer();
  await startMembership(account.id, plan);
  await finishOnboarding(account.client, account.id, {
    firstName: "Ada",
    lastName: "Byron",
    occupation: "Engineer",
    bio: "Counts.",
  });
  return account;
}

/**
 * An administrator who has entered the code of a second factor. It was set up before the appointment: afterwards the
 * first one needs more than a password.
 */
export async function administrator(): Promise<Account & { factor: EnrolledFactor }> {
  const account = await newcomer();
  const factor = await enrollSecondFactor(account.client);
  await owner.query("select private.make_admin($1)", [account.id]);
  return { ...account, factor };
}

/** An administrator without a second factor. */
export async function plainAdministrator(): Promise<Account> {
  const account = await newcomer();
  await owner.query("select private.make_admin($1)", [account.id]);
  return account;
}

/** Uploads a document under the caller's own name. @returns its name. */
export async function uploadVerificationDocument(
  account: Account,
  stamp = Date.now(),
): Promise<string> {
  const name = `${account.id}-verification-${stamp}.png`;
  const { error } = await documentsBucket(account.client).upload(name, onePixelPng, {
    contentType: "image/png",
  });
  if (error) throw new Error(error.message);
  return name;
}

export function documentsBucket(client: SupabaseClient) {
  return client.storage.from("verification-documents");
}

/** Opens a submitted document, which is recorded. @returns status and bytes or JSON of the answer. */
export async function openDocument(
  { client }: Pick<Account, "client">,
  verification_id: unknown,
): Promise<{ status: number; type: string | null; bytes: Buffer; code?: unknown }> {
  const { data } = await client.auth.getSession();
  const answer = await fetch(`${inject("host").url}/functions/v1/open-verification-document`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${data.session?.access_token ?? ""}`,
    },
    body: JSON.stringify({ verification_id }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const type = answer.headers.get("content-type");
  if (answer.ok) return { status: answer.status, type, bytes };
  const { code } = JSON.parse(bytes.toString()) as { code?: unknown };
  return { status: answer.status, type, bytes, code };
}

/** Opens a document and decides about it with the version the queue shows. @returns the error, or null. */
export async function reviewVerification(
  admin: Account,
  verification_id: unknown,
  decision: { decision: "approved" } | { decision: "rejected"; reason: string } = {
    decision: "approved",
  },
): Promise<{ code: string; message: string } | null> {
  const { data: queue } = await admin.client.rpc("verification_queue");
  const waiting = (queue as { id: string; document_version: string | null }[] | null)?.find(
    ({ id }) => id === verification_id,
  );
  await admin.client.rpc("open_verification_document", { verification_id });
  const { error } = await admin.client.rpc("review_verification", {
    verification_id,
    document_version: waiting?.document_version ?? null,
    ...decision,
  });
  return error;
}
