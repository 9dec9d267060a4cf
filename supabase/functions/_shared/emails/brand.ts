/** What e-mails say of the product; a test compares it with `web/src/domain/brand.ts`, which functions may not import. */
export const brand = {
  name: "Fourfold",
  supportEmail: "support@fourfold.example",
  locale: "en-GB",
} as const;
