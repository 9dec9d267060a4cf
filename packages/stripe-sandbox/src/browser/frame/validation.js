import { brandOf, expiryIssue, numberIssue } from "./card-rules.js";

const messages = {
  incomplete_number: "Your card number is incomplete.",
  invalid_number: "Your card number is invalid.",
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month: "Your card's expiration date is invalid.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  incomplete_cvc: "Your card's security code is incomplete.",
  incomplete_zip: "Your postal code is incomplete.",
};

const expiryCodes = {
  incomplete: "incomplete_expiry",
  invalid_month: "invalid_expiry_month",
  month_past: "invalid_expiry_month_past",
  year_past: "invalid_expiry_year_past",
  invalid_year: "invalid_expiry_year",
};

/** What is wrong with each field: a code, or "" when it is complete. */
export function fieldIssues(values, needsPostal) {
  const number = numberIssue(values.number);
  const expiry = expiryIssue(values.expiry, new Date());
  const { brand, cvcLength } = brandOf(values.number);
  const needed = brand === "unknown" ? 3 : cvcLength;
  return {
    number: number === "" ? "" : `${number}_number`,
    expiry: expiry === "" ? "" : expiryCodes[expiry],
    cvc: values.cvc.length < needed ? "incomplete_cvc" : "",
    postal: needsPostal && values.postal.trim() === "" ? "incomplete_zip" : "",
  };
}

/** The error object that Stripe.js reports to the page. */
export function validationError(code) {
  return { code, type: "validation_error", message: messages[code] };
}
