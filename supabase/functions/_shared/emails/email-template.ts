import { z } from "zod";
import { brand } from "./brand.ts";
import type { EmailContent } from "./render-email.ts";

/** A template: what its data must be, and what it says. */
export interface WrittenEmail {
  /** @throws {z.ZodError} when `data` is not what the template needs. */
  write: (data: unknown) => EmailContent;
}

/** A template whose data is checked against `schema`. */
export function template<T extends z.ZodType>(
  schema: T,
  write: (data: z.infer<T>) => EmailContent,
): WrittenEmail {
  return { write: (data) => write(schema.parse(data)) };
}

/** A time of the database. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** `2026-11-22T…` → `22 November 2026`. */
export function formatDate(date: Date): string {
  return new Intl.DateTimeFormat(brand.locale, { dateStyle: "long", timeZone: "UTC" }).format(date);
}

/** `5000`, `gbp` → `£50.00`. The amount is in minor units. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(brand.locale, {
    style: "currency",
    currency: currency.toUpperCase(),
  });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

export const paragraph = (text: string) => ({ type: "paragraph", text }) as const;
/** The way to the membership page. */
export const membership = { label: "Open your membership", path: "/subscriptions" } as const;
/** Name of a plan, when it is known. */
export const plan = z.string().default("membership");
