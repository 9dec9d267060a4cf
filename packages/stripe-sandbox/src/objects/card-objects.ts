import { createHash } from "node:crypto";
import type Stripe from "stripe";
import { newObjectId } from "../ids.ts";
import type { TestCard } from "../test-cards.ts";

export interface CardDetails {
  card: TestCard;
  expMonth: number;
  expYear: number;
  hasCvc: boolean;
  /** The wallet that gave the card. */
  wallet?: WalletType | undefined;
}

export type WalletType = "apple_pay" | "google_pay" | "link";

/** A device's number is not the card's own, and Link gives none. */
function walletFingerprint({ card, wallet }: CardDetails): string | null {
  if (wallet === undefined) return fingerprintOf(card.number);
  return wallet === "link" ? null : fingerprintOf(`${card.number}:${wallet}`);
}

function walletOf({ card, wallet }: CardDetails): Stripe.PaymentMethod.Card.Wallet | null {
  if (wallet === undefined) return null;
  const dynamicLast4 = wallet === "link" ? null : card.number.slice(-4);
  return { dynamic_last4: dynamicLast4, type: wallet, [wallet]: {} };
}

export const noBillingDetails: Stripe.PaymentMethod.BillingDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

/** The same number always has the same fingerprint. */
export function fingerprintOf(number: string): string {
  return createHash("sha256").update(`card:${number}`).digest("base64url").slice(0, 16);
}

export function newPaymentMethod(
  details: CardDetails,
  billing: Stripe.PaymentMethod.BillingDetails,
  metadata: Record<string, string>,
  created: number,
): Stripe.PaymentMethod {
  const { card } = details;
  return {
    id: newObjectId("pm"),
    object: "payment_method",
    allow_redisplay: "unspecified",
    billing_details: billing,
    card: {
      brand: card.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: details.hasCvc ? "unchecked" : null,
      },
      country: card.country,
      display_brand: card.brand,
      exp_month: details.expMonth,
      exp_year: details.expYear,
      fingerprint: walletFingerprint(details),
      funding: card.funding,
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: "unregulated",
      three_d_secure_usage: { supported: true },
      wallet: walletOf(details),
    },
    created,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata,
    type: "card",
  };
}

function chargedWallet({
  dynamic_last4,
  type,
}: Stripe.PaymentMethod.Card.Wallet): Stripe.Charge.PaymentMethodDetails.Card.Wallet {
  if (type === "link") return { dynamic_last4, type, link: { funding_source_group: null } };
  return { dynamic_last4, type, [type]: {} };
}

/** The card part of a charge's `payment_method_details`. */
export function chargedCard(
  method: Stripe.PaymentMethod,
  amount: number,
  authenticated: boolean,
): Stripe.Charge.PaymentMethodDetails.Card {
  const card = method.card;
  return {
    amount_authorized: amount,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: card?.checks ?? null,
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 0,
    exp_year: card?.exp_year ?? 0,
    fingerprint: card?.fingerprint ?? null,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_transaction_id: null,
    regulated_status: "unregulated",
    three_d_secure: authenticated
      ? {
          authentication_flow: "challenge",
          electronic_commerce_indicator: "05",
          exemption_indicator: null,
          result: "authenticated",
          result_reason: null,
          transaction_id: newObjectId("tds"),
          version: "2.2.0",
        }
      : null,
    transaction_link_id: null,
    wallet: card?.wallet ? chargedWallet(card.wallet) : null,
  };
}
