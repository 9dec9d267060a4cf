import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";

/** The function refused, with its own text; empty when it gave none or did not answer. */
export interface CardRefusal {
  readonly kind: "refused";
  readonly message: string;
}

export type CardUpdateResult =
  /** `paid` is true when an overdue payment was taken with the new card. */
  | { readonly kind: "saved"; readonly paid: boolean }
  | { readonly kind: "needs-authentication"; readonly clientSecret: string }
  | CardRefusal;

/** Begins saving another card. Nothing is charged. */
export async function createSetupIntent(
  client: BackendClient,
): Promise<{ readonly kind: "created"; readonly clientSecret: string } | CardRefusal> {
  const { status, body } = await callFunction(client, "stripe-create-setup-intent", {});
  const clientSecret = textOf(body, "client_secret");
  return status === 200 && clientSecret !== ""
    ? { kind: "created", clientSecret }
    : { kind: "refused", message: textOf(body, "error") };
}

/** Makes the card of a completed setup the one that pays, and pays what is overdue. */
export async function requestCardUpdate(
  client: BackendClient,
  setupIntentId: string,
): Promise<CardUpdateResult> {
  const { status, body } = await callFunction(client, "stripe-update-card", {
    setup_intent_id: setupIntentId,
  });
  const clientSecret = textOf(body, "client_secret");
  if (status === 200 && body["requires_action"] === true && clientSecret !== "") {
    return { kind: "needs-authentication", clientSecret };
  }
  if (status === 200 && body["success"] === true) {
    return { kind: "saved", paid: body["paid"] === true };
  }
  return { kind: "refused", message: textOf(body, "error") };
}
