import { createHash, randomBytes } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** `length` letters and digits without modulo bias. */
export function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}

/** Ids shaped like Stripe's: `cus_` and 14 characters, most others like `pm_1` and 23. */
export function newObjectId(prefix: string): string {
  switch (prefix) {
    case "cus":
    case "si":
    case "prod":
    case "req":
      return `${prefix}_${randomText(14)}`;
    case "pi":
    case "ch":
      return `${prefix}_3${randomText(23)}`;
    default:
      return `${prefix}_1${randomText(23)}`;
  }
}

/** The same id for the same seed, so that product ids survive a restart without a data file. */
export function stableId(prefix: string, seed: string): string {
  return `${prefix}_${createHash("sha256").update(seed).digest("hex").slice(0, 14)}`;
}

/** The id of an expandable reference; "" for none. */
export function expandableId(reference: string | { id: string } | null | undefined): string {
  if (typeof reference === "string") return reference;
  return reference?.id ?? "";
}
