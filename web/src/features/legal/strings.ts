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
  noVersion: "There is no such version.",
  loadFailed: "We couldn't load this text",
  none: "This text isn't here yet. Write to us and we'll send it.",
  others: "More to read",
  /** Beside the first version, which was written for memberships that are paid by the month. */
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
