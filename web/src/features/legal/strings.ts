import { brand } from "@/domain/brand.ts";
import type { LegalKind } from "./model/legal-text.ts";

export const legalNames: Readonly<Record<LegalKind, string>> = {
  terms: "Terms",
  privacy: "Privacy",
  refunds: "Refunds",
};

export const legalPageStrings = {
  version: (version: number, day: string) => `Version ${version}, in force since ${day}.`,
  changed: (summary: string) => `What changed: ${summary}`,
  /** Of a version that a link named, such as that of an e-mail. */
  earlier: (version: number, day: string) => `Version ${version}, published on ${day}.`,
  toCurrent: "Read the version in force",
  noVersion: "This version doesn't exist.",
  loadFailed: "We couldn't load this text",
  none: "This text isn't here yet. Write to us and we'll send it.",
  others: "More to read",
  /** Beside the first version, which was written for memberships that are paid by the month. */
  pauses: (months: number) =>
    `You may pause a membership for up to ${months} ${months === 1 ? "month" : "months"} in any twelve. A pause begins when the time you have paid for is over. Nothing is charged while it lasts, and you keep your price and place; a month with a pause in it doesn't count towards the guarantee. It ends automatically, when your card is charged for a new period, or earlier if you choose.`,
  gifts:
    "You can give months of a plan to someone else. You pay for them once, and the code does not expire. As long as it is unused, you have 14 days to change your mind. When the months are over the membership ends, and nothing is charged to the person who used the code.",
  years:
    "Memberships can also be paid by the year. Where this text says month, read year for a membership that is paid by the year: it renews each year, and your access stays until the end of the year you paid for.",
} as const;

export const businessStrings = {
  title: "Who we are",
  company: (number: string) => `Company number ${number}`,
  vat: (number: string) => `VAT number ${number}`,
  write: "Write to us:",
  email: brand.supportEmail,
  /** In place of a legal name that is not on record. */
  unnamed: brand.name,
} as const;

/** VAT beside a price. */
export const vatPriceStrings = {
  including: "including VAT",
  includingRate: (rate: string) => `including ${rate} VAT`,
} as const;
