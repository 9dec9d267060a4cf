import { z } from "zod";
import { brand } from "../product/brand.ts";
import type { EmailContent } from "./render-email.ts";

/** The texts of an e-mail by key: its subject, its heading and paragraphs. `{name}` stands for a value. */
export type EmailTexts = Readonly<Record<string, string>>;

/** A template: what its data must be, and what it says. */
export interface CheckedEmailTemplate {
  /** The defaults of the texts an administrator may change in the console. */
  texts: EmailTexts;
  /**
   * @param changed texts in place of the defaults.
   * @throws {z.ZodError} when `data` is not what the template needs.
   */
  write: (data: unknown, changed: EmailTexts) => EmailContent;
}

type Values = Readonly<Record<string, string>>;

/** Fills in the values of `{name}`, once: a brace within a value stays as it is. */
function fill(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** A template whose data is checked against `schema`; `values` are what its texts may name in braces. */
export function template<T extends z.ZodType, Texts extends EmailTexts>(
  schema: T,
  texts: Texts,
  values: (data: z.infer<T>) => Values,
  write: (
    data: z.infer<T>,
    say: (key: keyof Texts & string) => string,
  ) => Omit<EmailContent, "subject" | "heading">,
): CheckedEmailTemplate {
  return {
    texts,
    write: (input, changed) => {
      const data = schema.parse(input);
      const named = values(data);
      const say = (key: string) =>
        fill((Object.hasOwn(changed, key) ? changed[key] : undefined) ?? texts[key] ?? "", named);
      return { subject: say("subject"), heading: say("heading"), ...write(data, say) };
    },
  };
}

/** A time of the database. */
export const timestampSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** `2026-11-22T…` → `22 November 2026`. */
export function formatDate(date: Date): string {
  return new Intl.DateTimeFormat(brand.locale, { dateStyle: "long", timeZone: "UTC" }).format(date);
}

/** The last day of what ends with a day in London, from the midnight after it. */
export function lastDay(endsAt: Date): string {
  return formatDate(new Date(endsAt.getTime() - 1));
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
