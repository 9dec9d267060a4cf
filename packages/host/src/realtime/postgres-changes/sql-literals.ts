import { randomBytes } from "node:crypto";

/** A value as an item of an array literal. */
export function arrayItem(value: string | null): string {
  return value === null ? "NULL" : `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** What quotes text that must not be able to end it, so nobody may guess it. */
export function newDollarQuote(): string {
  return `$q${randomBytes(12).toString("hex")}$`;
}
