import { z } from "zod";
import { brand } from "../product/brand.ts";
import { cardFormPath } from "../product/paths.ts";
import {
  formatAmount,
  formatDate,
  paragraph,
  plan,
  template,
  timestampSchema,
} from "./email-template.ts";

/** The e-mail about a renewal that could not be paid. */
export const failedPaymentEmails = {
  payment_failed: template(
    z.object({
      plan,
      card_last4: z.string().optional(),
      // What is known when it is sent; nothing while the invoice was not read.
      amount: z.number().int().optional(),
      currency: z.string().length(3).optional(),
      next_attempt_at: timestampSchema.optional(),
      access_until: timestampSchema.optional(),
    }),
    {
      subject: "Your payment didn't go through",
      heading: "We couldn't take your payment",
      closing: "Your progress is kept. Update your card, and we'll try again at once.",
    },
    (data) => ({ plan: data.plan }),
    (data, say) => ({
      blocks: [
        paragraph(
          data.card_last4 === undefined
            ? `Your bank declined the payment for ${data.plan}.`
            : `Your bank declined the payment for ${data.plan} with the card ending in ${data.card_last4}.`,
        ),
        ...(data.amount === undefined || data.currency === undefined
          ? []
          : [
              {
                type: "facts" as const,
                rows: [
                  ["Amount", formatAmount(data.amount, data.currency)],
                  [
                    "Next try",
                    data.next_attempt_at === undefined
                      ? "None planned"
                      : formatDate(data.next_attempt_at),
                  ],
                ] as [string, string][],
              },
            ]),
        paragraph(
          data.access_until === undefined
            ? "You have no access to the community until it is paid."
            : `You keep your access until ${formatDate(data.access_until)}. After that, you have none until it is paid.`,
        ),
        paragraph(say("closing")),
      ],
      action: { label: "Update your card", path: cardFormPath },
      because: `you have a membership of ${brand.name}.`,
      canSwitchOff: false,
    }),
  ),
};
