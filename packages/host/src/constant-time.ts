import { timingSafeEqual } from "node:crypto";

/** Compares two secrets in constant time; only their length may show. */
export function isEqualConstantTime(
  left: string | Uint8Array,
  right: string | Uint8Array,
): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
