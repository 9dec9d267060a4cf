import { z } from "zod";
import { brand } from "../product/brand.ts";
import { contractBlocks } from "./contract-blocks.ts";
import { courseEmails } from "./course-emails.ts";
import { giftEmails } from "./gift-emails.ts";
import { failedPaymentEmails } from "./failed-payment-email.ts";
import { renewalEmails } from "./renewal-emails.ts";
import { digestEmails } from "./digest-email.ts";
import { disputeEmails } from "./dispute-emails.ts";
import {
  formatAmount,
  formatDate,
  membership,
  timestampSchema,
  paragraph,
  plan,
  template,
  type CheckedEmailTemplate,
  type EmailTexts,
} from "./email-template.ts";
import { guaranteeEmails } from "./guarantee-emails.ts";
import type { EmailContent } from "./render-email.ts";

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

/** `2026-12` → `December 2026`. */
function formatMonth(month: string): string {
  const format = new Intl.DateTimeFormat(brand.locale, {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}

/** Every e-mail of the product by its name in `private.email_templates`. */
export const emailTemplates = {
  welcome: template(
    z.object({ plan }),
    {
      subject: `Welcome to ${brand.name}`,
      heading: "Welcome. You're in.",
      active: "Your {plan} membership is active.",
      next: "First, a few questions about where you are and where you want to be. They take about fifteen minutes, and the community opens as soon as you've answered them.",
      guarantee:
        "The guarantee runs from today. Within 7 days, write down what you earn a month, either at the end of those questions or on your progress page. Without it, the guarantee doesn't apply.",
    },
    (data) => ({ plan: data.plan }),
    (_data, say) => ({
      blocks: [paragraph(say("active")), paragraph(say("next")), paragraph(say("guarantee"))],
      action: { label: "Continue", path: "/onboarding" },
      because: `you joined ${brand.name}.`,
      canSwitchOff: true,
    }),
  ),
  receipt: template(
    z.object({
      amount: z.number().int(),
      currency: z.string().length(3),
      happened_at: timestampSchema,
      number: z.string(),
      plan,
      invoice_id: z.string().optional(),
      terms_version: z.number().int().optional(),
    }),
    {
      subject: "Your receipt: {amount}",
      heading: "Thank you. We've received your payment.",
      closing: "You can see your payments and change your membership at any time.",
    },
    (data) => ({ amount: formatAmount(data.amount, data.currency), plan: data.plan }),
    (data, say) => ({
      blocks: [
        {
          type: "facts",
          rows: [
            ["Paid", formatAmount(data.amount, data.currency)],
            ["For", data.plan],
            ["Date", formatDate(data.happened_at)],
            ["Reference", data.number],
          ],
        },
        paragraph(say("closing")),
        ...contractBlocks(data.terms_version, "a membership"),
      ],
      action:
        data.invoice_id === undefined
          ? membership
          : {
              label: "Open your receipt",
              path: `/subscriptions/invoices/${encodeURIComponent(data.invoice_id)}`,
            },
      because: `you pay for a membership of ${brand.name}.`,
      canSwitchOff: false,
    }),
  ),
  card_expiring: template(
    z.object({ card_last4: z.string(), expires: z.string().regex(/^\d{4}-\d{2}$/) }),
    {
      subject: "Your card expires soon",
      heading: "Your card expires soon",
      opening:
        "The card ending in {last4} pays for your membership. It expires at the end of {month}.",
      closing: "Add a new one before then, and nothing else changes.",
    },
    (data) => ({ last4: data.card_last4, month: formatMonth(data.expires) }),
    (_data, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: { label: "Update your card", path: "/subscriptions" },
      because: "you pay for your membership with this card.",
      canSwitchOff: true,
    }),
  ),
  plan_changed: template(
    z.object({ plan, from: z.string(), renews_at: timestampSchema.optional() }),
    { subject: "Your plan is now {plan}", heading: "Your plan has changed" },
    (data) => ({ plan: data.plan, from: data.from }),
    (data) => ({
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
  membership_cancelled: template(
    z.object({ plan, ends_at: timestampSchema.optional() }),
    {
      subject: "Your membership is cancelled",
      heading: "Your membership is cancelled",
      closing:
        "We won't charge you again. If you change your mind before then, one click keeps it.",
    },
    (data) => ({ plan: data.plan }),
    (data, say) => {
      const end =
        data.ends_at === undefined ? "at the end of its period" : `on ${formatDate(data.ends_at)}`;
      return {
        blocks: [
          paragraph(`${data.plan} ends ${end}. You keep your access until then.`),
          paragraph(say("closing")),
        ],
        action: { label: "Keep your membership", path: "/subscriptions" },
        because: `you cancelled your membership of ${brand.name}.`,
        canSwitchOff: false,
      };
    },
  ),
  membership_ended: template(
    z.object({ plan, why: z.string().optional() }),
    {
      subject: "Your membership has ended",
      heading: "Your membership has ended",
      closing:
        "We won't charge you again. Your account and your progress are kept: when you come back, you pick up where you left off.",
    },
    (data) => ({ plan: data.plan }),
    (data, say) => {
      const reason = endedReasons[data.why ?? ""];
      return {
        blocks: [
          paragraph(`${data.plan} has ended.${reason === undefined ? "" : ` ${reason}`}`),
          paragraph(say("closing")),
        ],
        action: { label: "Join again", path: "/subscriptions" },
        because: `your membership of ${brand.name} ended.`,
        canSwitchOff: false,
      };
    },
  ),
  identity_approved: template(
    z.object({ document_type: documentType }),
    {
      subject: "Your identity is confirmed",
      heading: "Your identity is confirmed",
      opening: "We checked your {document} and approved it.",
      closing: "We delete the picture of it in 30 days. There's nothing else you need to do.",
    },
    (data) => ({ document: data.document_type }),
    (_data, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: { label: `Open ${brand.name}`, path: "/dashboard" },
      because: "you sent us an identity document.",
      canSwitchOff: false,
    }),
  ),
  ...courseEmails,
  ...failedPaymentEmails,
  ...renewalEmails,
  ...giftEmails,
  ...disputeEmails,
  ...digestEmails,
  ...guaranteeEmails,
  identity_rejected: template(
    z.object({ document_type: documentType, reason: z.string() }),
    {
      subject: "Please send your identity document again",
      heading: "We couldn't approve your document",
      opening: "We looked at your {document} and couldn't approve it. The reason:",
      closing: "We delete the picture of it in 30 days. You can send another one now.",
    },
    (data) => ({ document: data.document_type }),
    (data, say) => ({
      blocks: [
        paragraph(say("opening")),
        { type: "quote", text: data.reason },
        paragraph(say("closing")),
      ],
      action: { label: "Send another document", path: "/verification" },
      because: "you sent us an identity document.",
      canSwitchOff: false,
    }),
  ),
  identity_attempts_reset: template(
    z.object({}),
    {
      subject: "You can send an identity document again",
      heading: "You can send a document again",
      opening:
        "We looked at your account again. Your earlier attempts no longer count, and you have five new ones.",
      closing: "Please send a clear picture that shows the whole document.",
    },
    () => ({}),
    (_data, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: { label: "Send a document", path: "/verification" },
      because: "your identity documents were rejected five times.",
      canSwitchOff: false,
    }),
  ),
  account_suspended: template(
    z.object({ reason: z.string(), until: timestampSchema.optional() }),
    {
      subject: "Your account is suspended",
      heading: "Your account is suspended",
      closing: "If you think this is a mistake, write to {support}.",
    },
    () => ({ support: brand.supportEmail }),
    (data, say) => ({
      blocks: [
        paragraph(
          data.until === undefined
            ? "You can't sign in for now. The reason:"
            : `You can't sign in until ${formatDate(data.until)}. The reason:`,
        ),
        { type: "quote", text: data.reason },
        paragraph(say("closing")),
      ],
      because: `you have an account at ${brand.name}.`,
      canSwitchOff: false,
      isSignedOut: true,
    }),
  ),
} satisfies Readonly<Record<string, CheckedEmailTemplate>>;

/** The name of a template. */
export type EmailTemplateName = keyof typeof emailTemplates;

/**
 * What a stored e-mail says.
 * @param changed texts that an administrator changed, in place of the defaults.
 * @throws {Error} when there is no such template, or when the data is not what it needs.
 */
export function writeEmail(name: string, data: unknown, changed: EmailTexts = {}): EmailContent {
  if (!Object.hasOwn(emailTemplates, name)) throw new Error(`There is no e-mail ${name}.`);
  return emailTemplates[name as EmailTemplateName].write(data, changed);
}
