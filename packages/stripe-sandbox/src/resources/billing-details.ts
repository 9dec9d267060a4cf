import type Stripe from "stripe";
import * as z from "zod";
import { noBillingDetails } from "../objects/card-objects.ts";

export const billingDetails = z.strictObject({
  address: z
    .strictObject({
      city: z.string().optional(),
      country: z.string().optional(),
      line1: z.string().optional(),
      line2: z.string().optional(),
      postal_code: z.string().optional(),
      state: z.string().optional(),
    })
    .optional(),
  email: z.string().max(800).optional(),
  name: z.string().max(5000).optional(),
  phone: z.string().max(100).optional(),
});

/** Merges new details into existing ones; an empty text clears one. */
export function mergeBilling(
  existing: Stripe.PaymentMethod.BillingDetails,
  given: z.infer<typeof billingDetails> | undefined,
): Stripe.PaymentMethod.BillingDetails {
  if (!given) return existing;
  const set = <T>(value: string | undefined, before: T) =>
    value === undefined ? before : value === "" ? null : value;
  const address = existing.address ?? noBillingDetails.address;
  return {
    address: address && {
      city: set(given.address?.city, address.city),
      country: set(given.address?.country, address.country),
      line1: set(given.address?.line1, address.line1),
      line2: set(given.address?.line2, address.line2),
      postal_code: set(given.address?.postal_code, address.postal_code),
      state: set(given.address?.state, address.state),
    },
    email: set(given.email, existing.email),
    name: set(given.name, existing.name),
    phone: set(given.phone, existing.phone),
    tax_id: existing.tax_id,
  };
}
