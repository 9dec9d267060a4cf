import { z } from "zod";
import { brand } from "../product/brand.ts";
import { paths } from "../product/paths.ts";
import {
  formatAmount,
  formatDate,
  membership,
  paragraph,
  plan,
  template,
  timestampSchema,
} from "./email-template.ts";

/** E-mails to who gives a membership, and to who got one. */
export const giftEmails = {
  gift_receipt: template(
    z.object({
      amount: z.number().int(),
      currency: z.string().length(3),
      happened_at: timestampSchema,
      number: z.string(),
      /** What was bought, such as `Gift: Student Access, 3 months`. */
      plan: z.string(),
      code: z.string(),
      terms_version: z.number().int().optional(),
    }),
    {
      subject: "Your gift and its receipt: {amount}",
      heading: "Thank you. Here is your gift.",
      opening:
        "Give this code to one person. They create an account, enter it under Gifts, and have full access without a card. It works once and never expires.",
      closing:
        "You'll also find the code under Gifts, which shows when it has been used. Until then you can return the gift within 14 days without giving a reason: write to {support}.",
    },
    (data) => ({
      amount: formatAmount(data.amount, data.currency),
      gift: data.plan,
      support: brand.supportEmail,
    }),
    (data, say) => ({
      blocks: [
        paragraph(say("opening")),
        {
          type: "facts" as const,
          rows: [
            ["Code", data.code],
            ["For", data.plan],
            ["Paid", formatAmount(data.amount, data.currency)],
            ["Date", formatDate(data.happened_at)],
            ["Payment", data.number],
          ] as [string, string][],
        },
        paragraph(say("closing")),
        {
          type: "links" as const,
          rows: [
            ...(data.terms_version === undefined
              ? []
              : [
                  {
                    text: `The terms of your contract, version ${data.terms_version}`,
                    path: `${paths.terms}?version=${data.terms_version}`,
                  },
                ]),
            { text: "How to return it, and what we refund", path: paths.refunds },
          ],
        },
      ],
      action: { label: "Open your gifts", path: paths.gifts },
      because: `you bought a gift on ${brand.name}.`,
      canSwitchOff: false,
    }),
  ),
  gift_ending: template(
    z.object({ plan, ends_at: timestampSchema }),
    {
      subject: "Your gift membership ends on {date}",
      heading: "Your gift membership ends on {date}",
      opening: "Your {plan} membership was a gift. Nothing is charged when it ends.",
      closing: "To stay, choose a plan once it has ended. Your progress is kept.",
    },
    (data) => ({ plan: data.plan, date: formatDate(data.ends_at) }),
    (_data, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: membership,
      because: "your membership is a gift.",
      canSwitchOff: false,
    }),
  ),
};
