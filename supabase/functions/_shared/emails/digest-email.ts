import { z } from "zod";
import { notificationLine } from "../notifications/notification-line.ts";
import { describeOutside } from "../product/describe-notification.ts";
import { brand } from "../product/brand.ts";
import { paragraph, template } from "./email-template.ts";

/** The e-mail about what waits unread. */
export const digestEmails = {
  digest: template(
    z.object({ count: z.number().int().positive(), lines: z.array(notificationLine).min(1) }),
    {
      subject: "{things} you missed",
      heading: "What you missed",
      opening: "New since your last digest, and still unread:",
      closing: "You can choose how often this email comes and what's in it.",
    },
    ({ count }) => ({ things: count === 1 ? "1 thing" : `${count} things` }),
    ({ count, lines }, say) => {
      const more = count - lines.length;
      return {
        // What happened makes a reader open it; the subject stays free of what members call themselves.
        preview: lines.map((line) => describeOutside(line).sentence).join(" · "),
        blocks: [
          paragraph(say("opening")),
          {
            type: "links",
            rows: lines.map((line) => {
              const { sentence, path } = describeOutside(line);
              return { text: sentence, path };
            }),
          },
          ...(more > 0 ? [paragraph(`And ${more} more.`)] : []),
          paragraph(say("closing")),
        ],
        action: { label: `Open ${brand.name}`, path: "/dashboard" },
        because: "you have unread notifications.",
        canSwitchOff: true,
      };
    },
  ),
};
