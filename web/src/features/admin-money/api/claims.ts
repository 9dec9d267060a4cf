import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import { knownItems } from "@/domain/known-items.ts";
import { problemOf, type ActionProblem } from "./actions.ts";

const text = z.nullable(z.string());

const claimRow = z.object({
  id: z.string(),
  user_id: z.string(),
  email: z.string(),
  first_name: text,
  last_name: text,
  state: z.enum(["filed", "appealed", "granted"]),
  monthly_pence: z.number(),
  statement: z.string(),
  lines: knownItems(
    z.object({
      line: z.enum(["check_ins", "submissions", "messages", "articles", "membership", "income"]),
      needed: z.number(),
      held: z.number(),
      met: z.boolean(),
    }),
  ),
  filed_at: z.string(),
  reason: text,
  appeal: text,
  baseline: z.object({
    monthly_pence: z.number(),
    source: z.string(),
    has_document: z.boolean(),
    started_at: z.string(),
    check_ins: z.array(z.object({ month: z.number(), monthly_pence: z.number() })),
  }),
  to_refund: z.number(),
  /** Whether the provider could still take a payment of a granted claim's member. */
  renews: z.boolean(),
});

/** A claim under the guarantee that waits for a decision or for its refunds. Amounts in pence. */
export type WaitingClaim = z.infer<typeof claimRow>;

/** Reads the claims that wait, oldest first. Throws the database's error. */
export async function fetchClaims(client: BackendClient): Promise<WaitingClaim[]> {
  const { data, error } = await client.rpc("guarantee_queue");
  if (error) throw error;
  return knownItems(claimRow).parse(data);
}

/** Grants or declines a claim. Returns the problem, or null when it is decided. */
export async function decideClaim(
  client: BackendClient,
  decision: { readonly claimId: string; readonly isGranted: boolean; readonly reason: string },
): Promise<ActionProblem | null> {
  const { error } = await client.rpc("decide_guarantee_claim", {
    claim_id: decision.claimId,
    is_granted: decision.isGranted,
    reason: decision.reason,
  });
  return error === null ? null : problemOf(error);
}

/** How far a granted claim is settled: what is left of it, or why nothing was done. */
export type Settled =
  | { readonly kind: "done" }
  | { readonly kind: "left"; readonly payments: number; readonly renews: boolean }
  | ({ readonly kind: "refused" } & ActionProblem);

/** Stops the renewal of a granted claim and refunds every payment, each once. */
export async function requestClaimSettlement(
  client: BackendClient,
  claimId: string,
): Promise<Settled> {
  const { status, body } = await callFunction(client, "admin-settle-guarantee", {
    claim_id: claimId,
  });
  if (status === 0) return { kind: "refused", code: "", message: "" };
  if (status !== 200) {
    return { kind: "refused", code: textOf(body, "code"), message: textOf(body, "error") };
  }
  const { left, renews } = z.object({ left: z.number(), renews: z.boolean() }).parse(body);
  return left === 0 && !renews ? { kind: "done" } : { kind: "left", payments: left, renews };
}
