const brandNames: Readonly<Record<string, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
};

/**
 * `visa`, `4242` → `Visa ending in 4242`; null when no card is known.
 * @param brand the card provider's word for it
 */
export function cardName(brand: string | null, lastDigits: string | null): string | null {
  if (lastDigits === null) return null;
  const name = brand === null ? "Card" : (brandNames[brand] ?? brand);
  return `${name} ending in ${lastDigits}`;
}
