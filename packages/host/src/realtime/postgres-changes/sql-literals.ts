import { randomBytes } from "node:crypto";

/** A value as an item of an array literal. */
export function arrayItem(value: string | null): string {
  return value === null ? "NULL" : `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** A dollar quote with a random tag, which the quoted text cannot contain. */
export function newDollarQuote(): string {
  return `$q${randomBytes(12).toString("hex")}$`;
}
