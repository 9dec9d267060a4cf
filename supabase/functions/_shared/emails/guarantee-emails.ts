import { z } from "zod";
import { brand } from "../product/brand.ts";
import { lastDay, timestampSchema, paragraph, template } from "./email-template.ts";

const progress = { label: "Open your progress", path: "/progress" };
const becauseJoined = `you joined ${brand.name}.`;
const because = `you have a record under the ${brand.name} guarantee.`;

/** E-mails about the record of the guarantee and the claim. */
export const guaranteeEmails = {
  guarantee_granted: template(
    z.object({ reason: z.string() }),
    {
      subject: "Your claim under the guarantee was granted",
      heading: "Your claim was granted",
      opening:
        "We're refunding every payment you made to the card it came from. Your membership continues without charge. What we wrote about the decision:",
      closing: "A refund usually takes 5 to 10 working days to show on a card.",
    },
    () => ({}),
    (data, say) => ({
      blocks: [
        paragraph(say("opening")),
        { type: "quote", text: data.reason },
        paragraph(say("closing")),
      ],
      action: progress,
      because,
      canSwitchOff: false,
    }),
  ),
  guarantee_declined: template(
    z.object({ reason: z.string().optional(), appeal_until: timestampSchema.optional() }),
    {
      subject: "Your claim under the guarantee was declined",
      heading: "Your claim was declined",
      opening: "We compared your claim with the terms of your record.",
    },
    () => ({}),
    (data, say) => ({
      blocks: [
        paragraph(say("opening")),
        data.reason === undefined
          ? paragraph("At least one line was not met. Your progress page shows which.")
          : { type: "quote", text: data.reason },
        paragraph(
          data.appeal_until === undefined
            ? "This answers your appeal, and it is final."
            : `You can appeal once, by ${lastDay(data.appeal_until)}, on your progress page.`,
        ),
      ],
      action: progress,
      because,
      canSwitchOff: false,
    }),
  ),
  guarantee_baseline: template(
    z.object({ until: timestampSchema }),
    {
      subject: "Write down where you start, by {until}",
      heading: "Write down where you start",
      opening:
        "The guarantee compares what you earn now with what you earn in six months. Write down what you earn a month, by {until}. It takes a minute. Only you see it, and administrators if you claim.",
      closing: "It can't be added later: without it the guarantee doesn't apply.",
    },
    (data) => ({ until: lastDay(data.until) }),
    (_data, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: { label: "Write it down", path: "/progress" },
      because: becauseJoined,
      canSwitchOff: true,
    }),
  ),
  guarantee_check_in: template(
    z.object({ until: timestampSchema }),
    {
      subject: "Your check-in for this month",
      heading: "Your check-in for this month",
      opening: "Write down what you earned this month, by {until}. It takes a minute.",
      closing:
        "The guarantee asks for a check-in every month, and you can't fill in a month once it's over.",
    },
    (data) => ({ until: lastDay(data.until) }),
    (_data, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: { label: "Check in", path: "/progress" },
      because,
      canSwitchOff: true,
    }),
  ),
  guarantee_claim_open: template(
    z.object({ until: timestampSchema }),
    {
      subject: "You can claim under the guarantee",
      heading: "Your six months are over",
      opening: "You did the work: every line of the terms is met.",
      closing:
        "If your income is below the aim on your record, you can claim by {until}. You can only claim once.",
    },
    (data) => ({ until: lastDay(data.until) }),
    (_data, say) => ({
      blocks: [paragraph(say("opening")), paragraph(say("closing"))],
      action: progress,
      because,
      canSwitchOff: true,
    }),
  ),
};
