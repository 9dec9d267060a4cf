import { z } from "zod";
import { brand } from "./brand.ts";
import type { EmailContent } from "./render-email.ts";

/** A template: what its data must be, and what it says. */
interface EmailTemplate {
  /** @throws {z.ZodError} when `data` is not what the template needs. */
  write: (data: unknown) => EmailContent;
}

function template<T extends z.ZodType>(
  schema: T,
  write: (data: z.infer<T>) => EmailContent,
): EmailTemplate {
  return { write: (data) => write(schema.parse(data)) };
}

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** `2026-11-22T…` → `22 November 2026`. */
function formatDate(date: Date): string {
  return new Intl.DateTimeFormat(brand.locale, { dateStyle: "long", timeZone: "UTC" }).format(date);
}

/** `5000`, `gbp` → `£50.00`. The amount is in minor units. */
function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(brand.locale, {
    style: "currency",
    currency: currency.toUpperCase(),
  });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const paragraph = (text: string) => ({ type: "paragraph", text }) as const;
const membership = { label: "Open your membership", path: "/subscriptions" } as const;
const plan = z.string().default("membership");

const documentNames: Readonly<Record<string, string>> = {
  passport: "passport",
  drivers_license: "driving licence",
  national_id: "national ID card",
};
const documentType = z.string().transform((type) => documentNames[type] ?? "document");

const endedReasons: Readonly<Record<string, string>> = {
  unpaid: "We couldn't take the payment for it, although we tried several times.",
  refunded: "Your last payment was refunded in full.",
  dispute_lost: "Your bank took the last payment back after a dispute.",
};

/** Every e-mail of the product by its name in `private.email_templates`. */
export const emailTemplates = {
  welcome: template(z.object({ plan }), (data) => ({
    subject: `Welcome to ${brand.name}`,
    heading: "Welcome. You're in.",
    blocks: [
      paragraph(`Your ${data.plan} membership is active.`),
      paragraph(
        "A few questions come first, so that we know where you are and where you want to be. They take about ten minutes. The community opens for you right after.",
      ),
    ],
    action: { label: "Continue", path: "/onboarding" },
    because: `you joined ${brand.name}.`,
    canSwitchOff: true,
  })),
  receipt: template(
    z.object({
      amount: z.number().int(),
      currency: z.string().length(3),
      paid_at: moment,
      number: z.string(),
      plan,
    }),
    (data) => ({
      subject: `Your receipt: ${formatAmount(data.amount, data.currency)}`,
      heading: "Thank you. Your payment arrived.",
      blocks: [
        {
          type: "facts",
          rows: [
            ["Paid", formatAmount(data.amount, data.currency)],
            ["For", data.plan],
            ["Date", formatDate(data.paid_at)],
            ["Payment", data.number],
          ],
        },
        paragraph("You can see your payments and change your membership at any time."),
      ],
      action: membership,
      because: `you pay for a membership of ${brand.name}.`,
      canSwitchOff: false,
    }),
  ),
  payment_failed: template(
    z.object({ plan, card_last4: z.string().optional() }),
    ({ plan: name, card_last4: last4 }) => ({
      subject: "Your payment didn't go through",
      heading: "We couldn't take your payment",
      blocks: [
        paragraph(
          last4 === undefined
            ? `Your bank declined the payment for ${name}.`
            : `Your bank declined the payment for ${name} with the card that ends in ${last4}.`,
        ),
        paragraph(
          "Until it is paid, the community is closed to you. Your progress is kept. Update your card, and we try again at once.",
        ),
      ],
      action: { label: "Update your card", path: "/subscriptions" },
      because: `you have a membership of ${brand.name}.`,
      canSwitchOff: false,
    }),
  ),
  card_expiring: template(
    z.object({ card_last4: z.string(), expires: z.string().regex(/^\d{4}-\d{2}$/) }),
    ({ card_last4: last4, expires }) => {
      const month = new Intl.DateTimeFormat(brand.locale, {
        month: "long",
        year: "numeric",
        timeZone: "UTC",
      }).format(new Date(`${expires}-01T00:00:00Z`));
      return {
        subject: "Your card expires soon",
        heading: "Your card expires soon",
        blocks: [
          paragraph(
            `The card that ends in ${last4} pays for your membership. It expires at the end of ${month}.`,
          ),
          paragraph("Add a new one before then, and nothing else changes."),
        ],
        action: { label: "Update your card", path: "/subscriptions" },
        because: "you pay for your membership with this card.",
        canSwitchOff: true,
      };
    },
  ),
  plan_changed: template(
    z.object({ plan, from: z.string(), renews_at: moment.optional() }),
    (data) => ({
      subject: `Your plan is now ${data.plan}`,
      heading: "Your plan has changed",
      blocks: [
        {
          type: "facts",
          rows: [
            ["Before", data.from],
            ["Now", data.plan],
            ...(data.renews_at === undefined
              ? []
              : [["Renews on", formatDate(data.renews_at)] as const]),
          ],
        },
      ],
      action: membership,
      because: `the plan of your membership of ${brand.name} was changed.`,
      canSwitchOff: false,
    }),
  ),
  membership_cancelled: template(z.object({ plan, ends_at: moment.optional() }), (data) => {
    const end =
      data.ends_at === undefined ? "at the end of its period" : `on ${formatDate(data.ends_at)}`;
    return {
      subject: "Your membership is cancelled",
      heading: "Your membership is cancelled",
      blocks: [
        paragraph(`${data.plan} ends ${end}. Until then everything stays open to you.`),
        paragraph(
          "We won't charge you again. If you change your mind before then, one click keeps it.",
        ),
      ],
      action: { label: "Keep your membership", path: "/subscriptions" },
      because: `you cancelled your membership of ${brand.name}.`,
      canSwitchOff: false,
    };
  }),
  membership_ended: template(z.object({ plan, why: z.string().optional() }), (data) => {
    const reason = endedReasons[data.why ?? ""];
    return {
      subject: "Your membership has ended",
      heading: "Your membership has ended",
      blocks: [
        paragraph(`${data.plan} has ended.${reason === undefined ? "" : ` ${reason}`}`),
        paragraph(
          "We won't charge you again. Your account and your progress are kept: when you come back, you go on where you left off.",
        ),
      ],
      action: { label: "Join again", path: "/subscriptions" },
      because: `your membership of ${brand.name} ended.`,
      canSwitchOff: false,
    };
  }),
  identity_approved: template(z.object({ document_type: documentType }), (data) => ({
    subject: "Your identity is confirmed",
    heading: "Your identity is confirmed",
    blocks: [
      paragraph(`We checked your ${data.document_type} and approved it.`),
      paragraph("We delete the picture of it in 30 days. You have nothing left to do here."),
    ],
    action: { label: `Open ${brand.name}`, path: "/verification" },
    because: "you sent us an identity document.",
    canSwitchOff: false,
  })),
  identity_rejected: template(
    z.object({ document_type: documentType, reason: z.string() }),
    (data) => ({
      subject: "Please send your identity document again",
      heading: "We couldn't approve your document",
      blocks: [
        paragraph(`We looked at your ${data.document_type} and could not approve it. The reason:`),
        { type: "quote", text: data.reason },
        paragraph("We delete the picture of it in 30 days. You can send another one now."),
      ],
      action: { label: "Send another document", path: "/verification" },
      because: "you sent us an identity document.",
      canSwitchOff: false,
    }),
  ),
  identity_attempts_reset: template(z.object({}), () => ({
    subject: "You can send an identity document again",
    heading: "You can send a document again",
    blocks: [
      paragraph(
        "We looked at your account again. Your earlier attempts no longer count, and you have five new ones.",
      ),
      paragraph("Please send a clear picture that shows the whole document."),
    ],
    action: { label: "Send a document", path: "/verification" },
    because: "your identity documents were rejected five times.",
    canSwitchOff: false,
  })),
  account_suspended: template(
    z.object({ reason: z.string(), until: moment.optional() }),
    (data) => ({
      subject: "Your account is suspended",
      heading: "Your account is suspended",
      blocks: [
        paragraph(
          data.until === undefined
            ? "You can't sign in for now. The reason:"
            : `You can't sign in until ${formatDate(data.until)}. The reason:`,
        ),
        { type: "quote", text: data.reason },
        paragraph(`If you think this is a mistake, write to ${brand.supportEmail}.`),
      ],
      because: `you have an account at ${brand.name}.`,
      canSwitchOff: false,
    }),
  ),
} satisfies Readonly<Record<string, EmailTemplate>>;

/** The name of a template. */
export type EmailTemplateName = keyof typeof emailTemplates;

/**
 * What a stored e-mail says.
 * @throws {Error} when there is no such template, or when the data is not what it needs.
 */
export function writeEmail(name: string, data: unknown): EmailContent {
  if (!Object.hasOwn(emailTemplates, name)) throw new Error(`There is no e-mail ${name}.`);
  return emailTemplates[name as EmailTemplateName].write(data);
}
