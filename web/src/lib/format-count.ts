import { brand } from "@/domain/brand.ts";

const whole = new Intl.NumberFormat(brand.locale);

/** `12000` → `12,000`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** `1 article`, `12 courses`. `one` is a noun that takes an s. */
export function pluralise(count: number, one: string): string {
  return `${formatCount(count)} ${one}${count === 1 ? "" : "s"}`;
}
