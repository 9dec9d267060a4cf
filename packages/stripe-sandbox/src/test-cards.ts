import type { Decline } from "./api-errors.ts";
import type { DisputeReason } from "./objects/dispute-objects.ts";

type Brand = "visa" | "mastercard" | "amex" | "discover" | "diners" | "jcb" | "unionpay";

/** A published test card and how it behaves. */
export interface TestCard {
  number: string;
  brand: Brand;
  /** Two-letter country of the issuer. */
  country: string;
  funding: "credit" | "debit" | "prepaid";
  /** Names usable instead of the number, without their `pm_card_` or `tok_` prefix. */
  tokens: string[];
  /** Cannot be attached to a customer, and every charge is declined. */
  decline?: Decline;
  /** Can be attached, but every charge is declined. */
  declineLater?: Decline;
  /** When the cardholder must authenticate: at every payment, or until the card was set up for later. */
  authentication?: "always" | "until_set_up";
  /** The payment succeeds, and its issuer warns that it was fraud. */
  isWarnedOf?: boolean;
  /** The payment succeeds and is disputed afterwards. */
  dispute?: { reason: DisputeReason; isInquiry?: boolean };
}

const declined = (declineCode: string, message = "Your card was declined."): Decline => ({
  code: "card_declined",
  declineCode,
  message,
});

const genericDecline: Decline = declined("generic_decline");

export const authenticationRequired: Decline = {
  code: "authentication_required",
  declineCode: "authentication_required",
  message: "Your card was declined. This transaction requires authentication.",
};

export const notATestCard: Decline = declined(
  "test_mode_live_card",
  "Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
);

function card(
  number: string,
  brand: Brand,
  tokens: string[],
  behaviour: Pick<
    TestCard,
    "decline" | "declineLater" | "authentication" | "dispute" | "isWarnedOf"
  > = {},
  country = "US",
  funding: TestCard["funding"] = "credit",
): TestCard {
  return { number, brand, country, funding, tokens, ...behaviour };
}

const testCards: readonly TestCard[] = [
  card("4242424242424242", "visa", ["visa"]),
  card("4000056655665556", "visa", ["visa_debit"], {}, "US", "debit"),
  card("4000008260000000", "visa", ["gb"], {}, "GB"),
  card("5555555555554444", "mastercard", ["mastercard"]),
  card("2223003122003222", "mastercard", []),
  card("5200828282828210", "mastercard", ["mastercard_debit"], {}, "US", "debit"),
  card("5105105105105100", "mastercard", ["mastercard_prepaid"], {}, "US", "prepaid"),
  card("378282246310005", "amex", ["amex"]),
  card("371449635398431", "amex", []),
  card("6011111111111117", "discover", ["discover"]),
  card("3056930009020004", "diners", ["diners"]),
  card("3566002020360505", "jcb", ["jcb"], {}, "JP"),
  card("6200000000000005", "unionpay", ["unionpay"], {}, "CN"),
  card("4000000000000002", "visa", ["chargeDeclined", "visa_chargeDeclined"], {
    decline: genericDecline,
  }),
  card(
    "4000000000009995",
    "visa",
    ["chargeDeclinedInsufficientFunds", "visa_chargeDeclinedInsufficientFunds"],
    { decline: declined("insufficient_funds", "Your card has insufficient funds.") },
  ),
  card("4000000000009987", "visa", ["visa_chargeDeclinedLostCard"], {
    decline: declined("lost_card"),
  }),
  card("4000000000009979", "visa", ["visa_chargeDeclinedStolenCard"], {
    decline: declined("stolen_card"),
  }),
  card(
    "4000000000000069",
    "visa",
    ["chargeDeclinedExpiredCard", "visa_chargeDeclinedExpiredCard"],
    {
      decline: {
        code: "expired_card",
        message: "Your card has expired.",
        param: "exp_month",
      },
    },
  ),
  card(
    "4000000000000127",
    "visa",
    ["chargeDeclinedIncorrectCvc", "visa_chargeDeclinedIncorrectCvc"],
    {
      decline: {
        code: "incorrect_cvc",
        message: "Your card's security code is incorrect.",
        param: "cvc",
      },
    },
  ),
  card(
    "4000000000000119",
    "visa",
    ["chargeDeclinedProcessingError", "visa_chargeDeclinedProcessingError"],
    {
      decline: {
        code: "processing_error",
        message: "An error occurred while processing your card. Try again in a little bit.",
      },
    },
  ),
  card("4000000000000341", "visa", ["chargeCustomerFail"], { declineLater: genericDecline }),
  card("4000000000000259", "visa", ["createDispute"], { dispute: { reason: "fraudulent" } }),
  card("4000000000005423", "visa", ["createIssuerFraudRecord"], { isWarnedOf: true }),
  card("4000000000002685", "visa", ["createDisputeProductNotReceived"], {
    dispute: { reason: "product_not_received" },
  }),
  card("4000000000001976", "visa", ["createDisputeInquiry"], {
    dispute: { reason: "fraudulent", isInquiry: true },
  }),
  card("4000002500003155", "visa", ["authenticationRequiredOnSetup"], {
    authentication: "until_set_up",
  }),
  card("4000002760003184", "visa", ["authenticationRequired"], { authentication: "always" }),
  card("4000000000003220", "visa", ["threeDSecure2Required"], { authentication: "always" }),
  card("4000008400001629", "visa", ["authenticationRequiredChargeDeclined"], {
    authentication: "always",
    declineLater: genericDecline,
  }),
  card("4000008260003178", "visa", ["authenticationRequiredChargeDeclinedInsufficientFunds"], {
    authentication: "always",
    declineLater: declined("insufficient_funds", "Your card has insufficient funds."),
  }),
];

const byNumber = new Map(testCards.map((entry) => [entry.number, entry]));

/** The test card with this number (digits only), if it is one. */
export function testCard(number: string): TestCard | undefined {
  return byNumber.get(number);
}

/** The test card behind `pm_card_visa`, `tok_visa` and the like. */
export function testCardOfToken(token: string): TestCard | undefined {
  const name = /^(?:pm_card|tok)_(\w+)$/.exec(token)?.[1];
  if (name === undefined) return undefined;
  return testCards.find((entry) => entry.tokens.includes(name));
}

/** The wallet whose token this is. It pays with the card of `tok_visa`; Stripe has no such tokens. */
export function walletOfToken(token: string): "apple_pay" | "google_pay" | "link" | undefined {
  return (["apple_pay", "google_pay", "link"] as const).find((name) => token === `tok_${name}`);
}

/** Identifies the card without its number: its first token, or its last four digits if it has none. */
export function testCardKey(entry: TestCard): string {
  return entry.tokens[0] ?? entry.number.slice(-4);
}

export function testCardByKey(key: string): TestCard | undefined {
  return testCards.find((entry) => testCardKey(entry) === key);
}
