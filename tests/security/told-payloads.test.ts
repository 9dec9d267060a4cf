import { describe, expect, test } from "vitest";
import { writeEmail } from "../../supabase/functions/_shared/emails/email-templates.ts";
import { renderEmail } from "../../supabase/functions/_shared/emails/render-email.ts";
import { notificationLine } from "../../supabase/functions/_shared/notifications/notification-line.ts";
import { describeOutside } from "../../supabase/functions/_shared/product/describe-notification.ts";
import { scriptPayloads } from "../e2e/support/script-payloads.ts";

const siteUrl = "https://members.example.test";

/** A kind for each thing that a line can name, with what members wrote and with ids that are none. */
function linesWith(payload: string) {
  const place = {
    category: payload,
    shelf: payload,
    subcategory: payload,
    item_id: payload,
    module: payload,
    title: payload,
  };
  const told = {
    topic: "rooms",
    actor: payload,
    detail: payload,
    room: payload,
    achievement: payload,
    place,
    chat_room_id: payload,
    message_id: payload,
    submission_id: payload,
    comment_id: null,
    member_id: payload,
    certificate_id: payload,
  };
  const kinds = ["mention", "direct_message", "submission_comment", "level_up", "achievement"];
  return [...kinds, "certificate", "answer", "nudge", "pact_due"].map((kind) =>
    notificationLine.parse({ ...told, kind }),
  );
}

/** The elements of the template itself. */
const knownTags = new Set(
  (
    renderEmail(writeEmail("digest", { count: 1, lines: linesWith("A name").slice(0, 1) }), {
      firstName: "Ada",
      siteUrl,
    }).html.match(/<\/?[a-z!][a-z0-9]*/gi) ?? []
  ).map((tag) => tag.toLowerCase()),
);

describe("what is told outside the product", () => {
  test("stays text in the digest, and its links stay on the site", () => {
    for (const payload of scriptPayloads) {
      const lines = linesWith(payload);
      const content = writeEmail("digest", { count: lines.length, lines });
      const { subject, html } = renderEmail(content, { firstName: payload, siteUrl });
      const tags = new Set(html.match(/<\/?[a-z!][a-z0-9]*/gi)?.map((tag) => tag.toLowerCase()));
      expect([...tags].filter((tag) => !knownTags.has(tag))).toEqual([]);
      expect(html).not.toMatch(/<[^>]*\son\w+\s*=/i);
      for (const [, address = ""] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
        expect(address).toMatch(/^(?:https:\/\/members\.example\.test\/|mailto:support@)/);
      }
      expect(subject).toBe(`${lines.length} things you missed`);
    }
  });

  test("stays text in a push message, which opens a page of the site", () => {
    for (const payload of scriptPayloads) {
      for (const line of linesWith(payload)) {
        const { sentence, path } = describeOutside(line);
        const { body, path: sent } = JSON.parse(JSON.stringify({ body: sentence, path })) as {
          body: string;
          path: string;
        };
        expect(body).toBe(sentence);
        expect(new URL(sent, siteUrl).origin).toBe(siteUrl);
        expect(sent).toMatch(/^\/(?!\/)[\w%&=?#/.!~*'()-]*$/);
      }
    }
  });
});
