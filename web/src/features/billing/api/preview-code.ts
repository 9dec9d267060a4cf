import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import type { CheckoutOffer } from "../model/code-offer.ts";

export type PreviewCodeResult =
  | { readonly kind: "offer"; readonly offer: CheckoutOffer }
  /** `message` is the server's own text; empty when it gave none. */
  | { readonly kind: "refused"; readonly message: string };

const answer = z.object({
  code: z.string(),
  trial_days: z.nullable(z.number()),
  currency: z.string(),
  due_now: z.number(),
  while_it_lasts: z.number(),
  months: z.nullable(z.number()),
  afterwards: z.number(),
});

/** Asks the server what a code gives for a price. */
export async function previewCode(
  client: BackendClient,
  priceId: string,
  code: string,
): Promise<PreviewCodeResult> {
  const { status, body } = await callFunction(client, "stripe-preview-code", {
    price_id: priceId,
    code,
  });
  const parsed = answer.safeParse(body);
  if (status !== 200 || !parsed.success) {
    return { kind: "refused", message: textOf(body, "error") };
  }
  const found = parsed.data;
  return {
    kind: "offer",
    offer: {
      code: found.code,
      priceId,
      currency: found.currency.toUpperCase(),
      trialDays: found.trial_days,
      dueNow: found.due_now,
      whileItLasts: found.while_it_lasts,
      months: found.months,
      afterwards: found.afterwards,
    },
  };
}
