import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";

export type VisitAnswer =
  | { readonly kind: "remembered"; readonly visit: string }
  /** No such link, or its owner is no member now. */
  | { readonly kind: "unknown" }
  | { readonly kind: "failed" };

/** Asks the server to remember a visit by a member's link. `known` is the visit this browser has already. */
export async function rememberVisit(
  client: BackendClient,
  code: string,
  known: string | null,
): Promise<VisitAnswer> {
  const { status, body } = await callFunction(client, "affiliate-visit", { code, visit: known });
  if (status === 400) return { kind: "unknown" };
  if (status !== 200) return { kind: "failed" };
  const visit = textOf(body, "visit");
  return visit === "" ? { kind: "unknown" } : { kind: "remembered", visit };
}

/** Says by which visit the new account was brought. False when no answer came. */
export async function claimReferral(client: BackendClient, visit: string): Promise<boolean> {
  const { error } = await client.rpc("claim_referral", { visit });
  return error === null;
}
