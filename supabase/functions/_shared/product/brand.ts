/** Everything that names the product. Change it here and nowhere else. */
export const brand = {
  name: "Fourfold",
  tagline: "Grow in four measures: community, knowledge, business, wealth.",
  supportEmail: "support@fourfold.example",
  securityEmail: "security@fourfold.example",
  careersEmail: "careers@fourfold.example",
  /** ISO 4217 code of every price the product shows. */
  currency: "GBP",
  locale: "en-GB",
} as const;

/** `5000` → `£50`, `5050` → `£50.50`. The amount is in minor units (pence). */
export function formatPence(pence: number, currency: string = brand.currency): string {
  return new Intl.NumberFormat(brand.locale, {
    style: "currency",
    currency,
    minimumFractionDigits: pence % 100 === 0 ? 0 : 2,
  }).format(pence / 100);
}

/** `5000` → `£50.00`: for sums that stand below each other on a receipt. */
export function formatPenceInFull(pence: number, currency: string): string {
  const options = { style: "currency", currency } as const;
  return new Intl.NumberFormat(brand.locale, options).format(pence / 100);
}
