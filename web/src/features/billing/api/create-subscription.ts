import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";

export type CreateSubscriptionResult =
  | { readonly kind: "paid" }
  | { readonly kind: "needs-authentication"; readonly clientSecret: string }
  /** The bank has to approve the card for later payments; then the same call is made again. */
  | { readonly kind: "needs-approval"; readonly clientSecret: string }
  /** `message` is the server's own text; empty when it gave none. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly message: string;
      /** The price was replaced while the page was open. */
      readonly hasNewPrice?: boolean;
    }
  | { readonly kind: "no-response" };

/** Asks the server to start a subscription with a card the provider has already checked. */
export async function createSubscription(
  client: BackendClient,
  priceId: string,
  paymentMethodId: string,
  {
    code,
    termsVersion,
    place,
  }: {
    /** What the member typed for a discount. */
    readonly code?: string | undefined;
    /** The version of the terms that the member could read beside the button. */
    readonly termsVersion?: number | undefined;
    /** Where the member lives, if the VAT depends on it. */
    readonly place?: { readonly country: string; readonly postcode: string } | undefined;
  } = {},
): Promise<CreateSubscriptionResult> {
  const { status, body } = await callFunction(client, "stripe-create-subscription-direct", {
    price_id: priceId,
    payment_method_id: paymentMethodId,
    ...(code !== undefined && { code }),
    ...(termsVersion !== undefined && { terms_version: termsVersion }),
    ...(place !== undefined && {
      address: { country: place.country, postal_code: place.postcode.trim() },
    }),
  });
  if (status === 0) return { kind: "no-response" };
  const clientSecret = textOf(body, "client_secret");
  if (status === 200 && body["requires_action"] === true && clientSecret !== "") {
    const isApproval = body["action"] === "approve_card";
    return { kind: isApproval ? "needs-approval" : "needs-authentication", clientSecret };
  }
  if (status === 200 && body["success"] === true) return { kind: "paid" };
  const hasNewPrice = body["code"] === "price_changed";
  return { kind: "refused", status, message: textOf(body, "error"), hasNewPrice };
}
