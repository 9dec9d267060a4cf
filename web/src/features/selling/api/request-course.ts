import type { CreateSubscriptionResult } from "@/features/billing/index.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import type { Sale } from "../model/sale.ts";

/** What the server made of a request to charge a card. */
export function toPaymentResult(
  status: number,
  body: Readonly<Record<string, unknown>>,
): CreateSubscriptionResult {
  if (status === 0) return { kind: "no-response" };
  const clientSecret = textOf(body, "client_secret");
  if (status === 200 && body["requires_action"] === true && clientSecret !== "") {
    return { kind: "needs-authentication", clientSecret };
  }
  if (status === 200 && body["success"] === true) return { kind: "paid" };
  return { kind: "refused", status, message: textOf(body, "error") };
}

/** Asks the server to charge a card, which the provider has already checked, for a course. */
export async function requestCourse(
  client: BackendClient,
  { slug, pricePence }: Sale,
  paymentMethodId: string,
): Promise<CreateSubscriptionResult> {
  const { status, body } = await callFunction(client, "stripe-buy-course", {
    slug,
    amount_pence: pricePence,
    payment_method_id: paymentMethodId,
  });
  return toPaymentResult(status, body);
}
