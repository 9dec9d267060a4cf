import { brand } from "@/domain/brand.ts";
import { lazily } from "./lazily.ts";

const whole = lazily(() => new Intl.NumberFormat(brand.locale));

/** `12000` → `12,000`. */
export function formatCount(count: number): string {
  // Without a comma there is nothing to format.
  if (Number.isInteger(count) && count >= 0 && count < 1000) return String(count);
  return whole().format(count);
}

/** `1 article`, `12 courses`. `one` is a noun that takes an s. */
export function pluralise(count: number, one: string): string {
  return `${formatCount(count)} ${one}${count === 1 ? "" : "s"}`;
}

/** `90` → `90 min`; from two hours on, `490` → `8 h 10 min`. */
export function formatMinutes(minutes: number): string {
  if (minutes < 120) return `${minutes} min`;
  const rest = minutes % 60;
  return `${formatCount((minutes - rest) / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}
