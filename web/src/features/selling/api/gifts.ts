import type { CreateSubscriptionResult } from "@/features/billing/index.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction } from "@/lib/call-function.ts";
import {
  toGifts,
  toRedemption,
  type GiftOffer,
  type Gifts,
  type Redemption,
} from "../model/gift.ts";
import { toPaymentResult } from "./request-course.ts";

/** Reads what can be given, and the gifts that the caller bought. Throws the database's error. */
export async function fetchGifts(client: BackendClient): Promise<Gifts> {
  const { data, error } = await client.rpc("my_gifts");
  if (error) throw error;
  return toGifts(data);
}

/** Redeems a code for the caller. Throws the database's error. */
export async function redeemGift(client: BackendClient, code: string): Promise<Redemption> {
  const { data, error } = await client.rpc("redeem_gift", { code });
  if (error) throw error;
  return toRedemption(data);
}

/** Asks the server to charge a card, which the provider has already checked, for a gift. `request` names this one gift. */
export async function requestGift(
  client: BackendClient,
  { planId, months, amountPence }: GiftOffer,
  request: string,
  paymentMethodId: string,
): Promise<CreateSubscriptionResult> {
  const { status, body } = await callFunction(client, "stripe-buy-gift", {
    request_id: request,
    plan_id: planId,
    months,
    amount_pence: amountPence,
    payment_method_id: paymentMethodId,
  });
  return toPaymentResult(status, body);
}
