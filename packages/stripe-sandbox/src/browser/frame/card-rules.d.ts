export interface BrandRule {
  brand: "amex" | "diners" | "discover" | "jcb" | "mastercard" | "unionpay" | "unknown" | "visa";
  lengths: number[];
  groups: number[];
  cvcLength: number;
}
export function brandOf(digits: string): BrandRule;
export function passesLuhn(digits: string): boolean;
export function formatNumber(digits: string): string;
export function numberIssue(digits: string): "" | "incomplete" | "invalid";
export function expiryIssue(
  digits: string,
  today: Date,
): "" | "incomplete" | "invalid_month" | "invalid_year" | "month_past" | "year_past";
