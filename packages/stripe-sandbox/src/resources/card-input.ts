import * as z from "zod";
import { numberIssue } from "../browser/frame/card-rules.js";
import { cardError } from "../api-errors.ts";
import { nonEmptyString } from "../http/params.ts";
import type { CardDetails } from "../objects/card-objects.ts";
import { notATestCard, testCard } from "../test-cards.ts";

/** A card as a browser sends it. `checkCard` validates the values. */
export const cardParams = z.strictObject({
  number: nonEmptyString,
  exp_month: nonEmptyString,
  exp_year: nonEmptyString,
  cvc: z.string().max(10).optional(),
});

const invalidCard = (code: string, message: string, param: string) =>
  cardError({ code, message, param });

/**
 * Validates number, expiry and CVC; `now` in epoch seconds.
 * @throws {StripeApiError} 402 for the first invalid value, or a number that is no test card.
 */
export function checkCard(input: z.infer<typeof cardParams>, now: number): CardDetails {
  const number = input.number.replaceAll(/[\s-]/g, "");
  if (!/^\d+$/.test(number) || numberIssue(number) !== "") {
    throw invalidCard("incorrect_number", "Your card number is incorrect.", "number");
  }
  const expMonth = Number(input.exp_month);
  if (!Number.isInteger(expMonth) || expMonth < 1 || expMonth > 12) {
    throw invalidCard(
      "invalid_expiry_month",
      "Your card's expiration month is invalid.",
      "exp_month",
    );
  }
  const given = Number(input.exp_year);
  const expYear = given < 100 ? 2000 + given : given;
  const today = new Date(now * 1000);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() + 1];
  if (!Number.isInteger(expYear) || expYear < year || expYear > year + 50) {
    throw invalidCard("invalid_expiry_year", "Your card's expiration year is invalid.", "exp_year");
  }
  if (expYear === year && expMonth < month) {
    throw invalidCard(
      "invalid_expiry_month",
      "Your card's expiration month is invalid.",
      "exp_month",
    );
  }
  const cvc = input.cvc ?? "";
  if (cvc !== "" && !/^\d{3,4}$/.test(cvc)) {
    throw invalidCard("invalid_cvc", "Your card's security code is invalid.", "cvc");
  }
  const card = testCard(number);
  if (!card) throw cardError({ ...notATestCard, param: "number" });
  return { card, expMonth, expYear, hasCvc: cvc !== "" };
}
