import { z } from "zod";
import { brand } from "../product/brand.ts";
import {
  formatAmount,
  formatDate,
  membership,
  timestampSchema,
  paragraph,
  plan,
  template,
} from "./email-template.ts";

const money = {
  amount: z.number().int(),
  currency: z.string().length(3),
  happened_at: timestampSchema,
  number: z.string(),
  plan,
};

/** The provider's reasons for disputes that are worth telling apart; others are given as they are. */
const disputeReasons: Readonly<Record<string, string>> = {
  fraudulent: "The cardholder says they did not make the payment.",
  product_not_received: "The cardholder says they did not get what they paid for.",
  duplicate: "The cardholder says they paid twice.",
  subscription_canceled: "The cardholder says they had cancelled.",
};

const amountAndPlan = (data: { amount: number; currency: string; plan: string }) => ({
  amount: formatAmount(data.amount, data.currency),
  plan: data.plan,
});

/** E-mails about payments that were given back or are disputed, and about a withdrawal. */
export const disputeEmails = {
  payment_refunded: template(
    z.object(money),
    {
      subject: "Your refund: {amount}",
      heading: "We refunded your payment",
      closing:
        "The money goes back to the card you paid with. It usually takes 5 to 10 working days to show there.",
    },
    amountAndPlan,
    (data, say) => ({
      blocks: [
        {
          type: "facts",
          rows: [
            ["Refunded", formatAmount(data.amount, data.currency)],
            ["For", data.plan],
            ["Date", formatDate(data.happened_at)],
            ["Reference", data.number],
          ],
        },
        paragraph(say("closing")),
      ],
      action: membership,
      because: `your payment to ${brand.name} was refunded.`,
      canSwitchOff: false,
    }),
  ),
  membership_withdrawn: template(
    z.object({
      amount: z.number().int(),
      currency: z.string().length(3),
      plan,
      withdrawn_at: timestampSchema,
    }),
    {
      subject: "You have withdrawn from your membership",
      heading: "We have your withdrawal",
      opening:
        "You withdrew from your {plan} membership on {date}. It has ended, and you won't be charged again.",
      closing:
        "We're refunding {amount} to the card you paid with. It usually takes 5 to 10 working days to show there. Keep this email: it confirms that we have your withdrawal.",
    },
    (data) => ({
      plan: data.plan,
      date: formatDate(data.withdrawn_at),
      amount: formatAmount(data.amount, data.currency),
    }),
    (_, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: membership,
      because: `you withdrew from a membership of ${brand.name}.`,
      canSwitchOff: false,
    }),
  ),
  payment_disputed: template(
    z.object(money),
    {
      subject: "Your membership is paused",
      heading: "Your membership is paused",
      opening:
        "Your bank told us that the payment of {amount} for {plan} is disputed. Until that's decided, you have no access to the community. Your progress is kept.",
      closing:
        "If you didn't mean to dispute it, ask your bank to withdraw the dispute. If you have a question, write to {support}.",
    },
    (data) => ({ ...amountAndPlan(data), support: brand.supportEmail }),
    (_data, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: membership,
      because: `your payment to ${brand.name} is disputed.`,
      canSwitchOff: false,
    }),
  ),
  dispute_won: template(
    z.object(money),
    {
      subject: "Your membership is open again",
      heading: "Your membership is open again",
      opening:
        "The dispute about your payment of {amount} is decided, and the payment stands. Everything is open to you again.",
    },
    amountAndPlan,
    (_data, say) => ({
      blocks: [paragraph(say("opening"))],
      action: { label: `Open ${brand.name}`, path: "/dashboard" },
      because: `your payment to ${brand.name} was disputed.`,
      canSwitchOff: false,
    }),
  ),
  dispute_opened: template(
    z.object({
      ...money,
      course: z.string().optional(),
      dispute: z.string(),
      reason: z.string().default(""),
    }),
    {
      subject: "A payment is disputed: {amount}",
      heading: "A member's payment is disputed",
      closing:
        "What it paid for is closed until the bank decides. Answer the dispute at the card provider before its deadline; without an answer the money is lost.",
    },
    (data) => amountAndPlan({ ...data, plan: data.course ?? data.plan }),
    (data, say) => ({
      blocks: [
        {
          type: "facts",
          rows: [
            ["Amount", formatAmount(data.amount, data.currency)],
            ["For", data.course ?? data.plan],
            ["Date", formatDate(data.happened_at)],
            ["Reference", data.number],
            ["Dispute", data.dispute],
            ["Reason", disputeReasons[data.reason] ?? data.reason],
          ],
        },
        paragraph(say("closing")),
      ],
      action: { label: "Open the console", path: "/admindash/queues" },
      because: `you are an administrator of ${brand.name}.`,
      canSwitchOff: false,
    }),
  ),
};
