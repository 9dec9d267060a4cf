import { z } from "zod";
import { brand } from "../product/brand.ts";
import { contractBlocks } from "./contract-blocks.ts";
import {
  formatAmount,
  formatDate,
  timestampSchema,
  paragraph,
  template,
} from "./email-template.ts";

const payment = z.object({
  amount: z.number().int(),
  currency: z.string().length(3),
  happened_at: timestampSchema,
  number: z.string(),
  /** Title of the course. */
  course: z.string(),
  purchase_id: z.string(),
  terms_version: z.number().int().optional(),
});

const values = ({ amount, currency, course }: z.infer<typeof payment>) => ({
  amount: formatAmount(amount, currency),
  course,
});

const facts = (done: string, data: z.infer<typeof payment>) =>
  ({
    type: "facts",
    rows: [
      [done, formatAmount(data.amount, data.currency)],
      ["For", data.course],
      ["Date", formatDate(data.happened_at)],
      ["Reference", data.number],
    ],
  }) as const;

const yourCourses = { label: "Open your courses", path: "/your-courses" } as const;

/** E-mails to buyers of courses, who may have no membership. */
export const courseEmails = {
  course_receipt: template(
    payment,
    {
      subject: "Your receipt: {amount}",
      heading: "Thank you. The course is yours.",
      closing: "You'll find it, with its receipt, under Your courses.",
    },
    values,
    (data, say) => ({
      blocks: [
        facts("Paid", data),
        paragraph(say("closing")),
        ...contractBlocks(data.terms_version, "a course"),
      ],
      action: {
        label: "Open your receipt",
        path: `/your-courses/receipts/${encodeURIComponent(data.purchase_id)}`,
      },
      because: `you bought a course on ${brand.name}.`,
      canSwitchOff: false,
    }),
  ),
  course_refunded: template(
    payment,
    {
      subject: "Your refund: {amount}",
      heading: "We refunded your payment",
      closing:
        "The money goes back to the card you paid with. It usually takes 5 to 10 working days to show there. A course that was refunded in full is closed.",
    },
    values,
    (data, say) => ({
      blocks: [facts("Refunded", data), paragraph(say("closing"))],
      action: yourCourses,
      because: `your payment to ${brand.name} was refunded.`,
      canSwitchOff: false,
    }),
  ),
  course_disputed: template(
    payment,
    {
      subject: "Your course is paused",
      heading: "Your course is paused",
      opening:
        "Your bank told us that the payment of {amount} for “{course}” is disputed. Until that's decided, you can't open the course. Your progress is kept.",
      closing:
        "If you didn't mean to dispute it, ask your bank to withdraw the dispute. If you have a question, write to {support}.",
    },
    (data) => ({ ...values(data), support: brand.supportEmail }),
    (_data, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: yourCourses,
      because: `your payment to ${brand.name} is disputed.`,
      canSwitchOff: false,
    }),
  ),
  course_dispute_won: template(
    payment,
    {
      subject: "Your course is open again",
      heading: "Your course is open again",
      opening:
        "The dispute about your payment of {amount} for “{course}” is decided, and the payment stands. You can read the course again.",
    },
    values,
    (_data, say) => ({
      blocks: [paragraph(say("opening"))],
      action: yourCourses,
      because: `your payment to ${brand.name} was disputed.`,
      canSwitchOff: false,
    }),
  ),
};
