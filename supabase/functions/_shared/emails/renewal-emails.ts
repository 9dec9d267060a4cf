import { z } from "zod";
import {
  formatAmount,
  formatDate,
  membership,
  paragraph,
  plan,
  template,
  timestampSchema,
} from "./email-template.ts";
import type { EmailBlock } from "./render-email.ts";

/** What a payment to come will take, where it is known. */
interface Payment {
  amount?: number | undefined;
  currency?: string | undefined;
}

/** The facts of a payment to come: none while its amount is not known. */
function coming(what: string, { amount, currency }: Payment, day: Date): EmailBlock[] {
  if (amount === undefined || currency === undefined) return [];
  const rows: [string, string][] = [
    [what, formatAmount(amount, currency)],
    ["On", formatDate(day)],
  ];
  return [{ type: "facts", rows }];
}

/** E-mails before money is taken. */
export const renewalEmails = {
  trial_ending: template(
    z.object({
      plan,
      ends_at: timestampSchema,
      amount: z.number().optional(),
      currency: z.string().optional(),
    }),
    {
      subject: "Your free days end on {date}",
      heading: "Your free days end on {date}",
      opening:
        "After that, we'll charge the card you gave us for your {plan} membership until you cancel it.",
      closing:
        "To keep it, do nothing. To leave, cancel before that day: it takes two clicks, and nothing is charged.",
    },
    (data) => ({ plan: data.plan, date: formatDate(data.ends_at) }),
    ({ ends_at: end, ...payment }, say) => ({
      blocks: [
        paragraph(say("opening")),
        ...coming("First payment", payment, end),
        paragraph(say("closing")),
      ],
      action: membership,
      because: "your membership began with free days.",
      canSwitchOff: false,
    }),
  ),
  renewal_coming: template(
    z.object({
      plan,
      renews_at: timestampSchema,
      amount: z.number().optional(),
      currency: z.string().optional(),
    }),
    {
      subject: "Your membership renews on {date}",
      heading: "Your membership renews on {date}",
      opening:
        "Your {plan} membership continues, and we take the next payment from the card you gave us.",
      closing:
        "To keep it, do nothing. To leave, cancel before that day: it takes two clicks, and nothing more is charged.",
    },
    (data) => ({ plan: data.plan, date: formatDate(data.renews_at) }),
    ({ renews_at: end, ...payment }, say) => ({
      blocks: [
        paragraph(say("opening")),
        ...coming("Next payment", payment, end),
        paragraph(say("closing")),
      ],
      action: membership,
      because: "your membership is about to renew.",
      canSwitchOff: false,
    }),
  ),
  pause_begun: template(
    z.object({ plan, ends_at: timestampSchema.optional() }),
    {
      subject: "Your membership is paused",
      heading: "Your membership is paused",
      opening:
        "Your {plan} membership is paused, and nothing is charged. Your price, your level and your rooms are waiting for you.",
      closing:
        "It continues automatically {date}. You can come back before then, or cancel, with two clicks.",
    },
    (data) => ({
      plan: data.plan,
      date: data.ends_at === undefined ? "when the pause ends" : `on ${formatDate(data.ends_at)}`,
    }),
    (_data, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: membership,
      because: "your membership is paused.",
      canSwitchOff: false,
    }),
  ),
  pause_ending: template(
    z.object({
      plan,
      ends_at: timestampSchema,
      amount: z.number().optional(),
      currency: z.string().optional(),
    }),
    {
      subject: "Your pause ends on {date}",
      heading: "Your pause ends on {date}",
      opening:
        "Your {plan} membership then continues, and we take the payment for it from the card you gave us, less any discount from your code.",
      closing:
        "To come back, do nothing. To leave, cancel before that day: it takes two clicks, and nothing is charged.",
    },
    (data) => ({ plan: data.plan, date: formatDate(data.ends_at) }),
    ({ ends_at: end, ...payment }, say) => ({
      blocks: [
        paragraph(say("opening")),
        ...coming("Next payment", payment, end),
        paragraph(say("closing")),
      ],
      action: membership,
      because: "your membership is paused.",
      canSwitchOff: false,
    }),
  ),
};
