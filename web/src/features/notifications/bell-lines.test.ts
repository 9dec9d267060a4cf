import { describe, expect, it } from "vitest";
import { describeInBell } from "@/domain/describe-notification.ts";
import type { BellItem } from "./model/bell-page.ts";

const line = (differs: Partial<BellItem> = {}): BellItem => ({
  id: 1,
  kind: "message_like",
  created_at: "2026-11-20T10:00:00+00:00",
  unread: true,
  detail: null,
  actor: "Tom",
  others: 3,
  chat_room_id: "general",
  room: "General",
  message_id: "m",
  submission_id: null,
  excerpt: "Look at this",
  ...differs,
});

describe("a line", () => {
  it.each([
    [{ kind: "reply", others: 0 }, "Tom replied to your message in General", "/chats/general#m"],
    [
      { kind: "submission_like", others: 1, submission_id: "s" },
      "Tom and 1 other liked your submission",
      "/learning/submissions?submission=s",
    ],
    [
      { kind: "submission_comment", others: 0, actor: "", submission_id: "s" },
      "A member commented on your submission",
      "/learning/submissions?submission=s&comments=open",
    ],
    [
      { kind: "submission_mention", others: 0, submission_id: "s" },
      "Tom mentioned you in a submission",
      "/learning/submissions?submission=s",
    ],
    [
      { kind: "submission_mention", others: 0, submission_id: "s", comment_id: "c" },
      "Tom mentioned you in a comment",
      "/learning/submissions?submission=s&comments=open",
    ],
    [
      { kind: "announcement", others: 0, message_id: "m" },
      "Tom posted to everyone in General",
      "/chats/general#m",
    ],
    [
      { kind: "message_like" },
      "Tom and 3 others liked your message in General",
      "/chats/general#m",
    ],
    [{ kind: "witness_declined", others: 0 }, "Tom can't witness your pact", "/learning/pacts"],
    [{ kind: "pact_due", actor: null }, "Your pact is due soon", "/learning/pacts"],
    [
      { kind: "pact_due", actor: null, is_overdue: true },
      "Your pact is overdue",
      "/learning/pacts",
    ],
    [
      { kind: "pact_due", others: 0, is_overdue: true },
      "Tom's pact is overdue. Ask how it's going",
      "/learning/pacts",
    ],
    [{ kind: "room_open" }, "A room has opened: General", "/chats/general"],
    [{ kind: "identity_approved" }, "Your identity has been verified", "/verification"],
    [
      { kind: "identity_rejected" },
      "Your identity document was not accepted. Please send another",
      "/verification",
    ],
    [
      { kind: "payment_failed" },
      "Your last payment failed. Update your card to keep your membership",
      "/subscriptions",
    ],
    [
      { kind: "achievement", achievement: "Four weeks" },
      "You earned “Four weeks”",
      "/achievements",
    ],
    [{ kind: "certificate", certificate_id: "c" }, "Your certificate is ready", "/certificates/c"],
    [
      { kind: "check_in_due" },
      "This month's check-in is due. It takes a minute",
      "/progress/guarantee",
    ],
    [
      { kind: "draft_returned", draft_id: "d", draft: "Study" },
      "“Study” was sent back. Read the comments, then submit it again",
      "/studio/d",
    ],
    [
      { kind: "draft_scheduled", draft_id: "d", draft: "Study" },
      "“Study” was approved. It will be published at its time",
      "/studio/d",
    ],
    [
      { kind: "draft_published", draft_id: "d", draft: "Study" },
      "“Study” is published",
      "/studio/d",
    ],
    [
      { kind: "draft_not_published", draft_id: "d", draft: "", draft_kind: "article" },
      "Your article couldn't be published at its time. See what to change",
      "/studio/d",
    ],
    [
      { kind: "draft_recalled", draft_id: "d", draft: "Study" },
      "“Study” was taken back by an administrator. Submit it again when it is ready",
      "/studio/d",
    ],
    [
      { kind: "draft_withdrawn", draft_id: "d", draft: "", draft_kind: "course" },
      "Your course was withdrawn from the library by an administrator",
      "/studio/d",
    ],
    [
      { kind: "payment_refunded", amount_pence: 1250, currency: "GBP" },
      "We've refunded £12.50 to you; it usually arrives within 5 to 10 working days",
      "/subscriptions",
    ],
    [
      { kind: "payment_refunded" },
      "We've refunded a payment to you; it usually arrives within 5 to 10 working days",
      "/subscriptions",
    ],
    [
      { kind: "membership_ended", why: "refunded" },
      "Your last payment was refunded, so your membership has ended",
      "/subscriptions",
    ],
    [
      { kind: "membership_ended", why: null },
      "Your membership has ended. Your progress is kept.",
      "/subscriptions",
    ],
    [{ kind: "sale_ended" }, "An administrator ended the sale of your course", "/studio/selling"],
    [
      { kind: "report_decided", what: "message", is_kept: true, chat_room_id: null, room: null },
      "We looked at the message you reported. It doesn't break our rules, so it stays.",
      "/chats",
    ],
    [
      { kind: "report_decided", what: "message", is_kept: false, chat_room_id: null },
      "We looked at the message you reported in General. It broke our rules and was removed. Thank you for telling us.",
      "/chats",
    ],
    [
      { kind: "report_decided", what: "profile", is_kept: false, room: null },
      "We looked at the profile you reported. It broke our rules and was cleared. Thank you for telling us.",
      "/account",
    ],
    [
      { kind: "moderated", what: "comment", is_kept: false },
      "A comment you wrote was removed because it broke our rules. If you disagree, write to support@fourfold.example.",
      "/learning/submissions",
    ],
    [
      {
        kind: "moderated",
        what: "message",
        is_kept: false,
        room: "General",
        chat_room_id: null,
        written_at: "2026-11-18T09:00:00+00:00",
      },
      "A message you wrote in General on 18 November 2026 was removed because it broke our rules. If you disagree, write to support@fourfold.example.",
      "/chats",
    ],
    [
      {
        kind: "moderated",
        what: "message",
        is_kept: false,
        room: "General",
        written_at: "2026-11-18T09:00:00+00:00",
        words: "You are very rude",
        chat_room_id: "general",
        message_id: "m1",
      },
      "The message you wrote in General on 18 November 2026, “You are very rude”, was removed because it broke our rules. If you disagree, write to support@fourfold.example.",
      "/chats/general#m1",
    ],
    [
      { kind: "moderated", what: "submission", is_kept: false, title: "Ten clients" },
      "Your submission “Ten clients” was removed because it broke our rules. If you disagree, write to support@fourfold.example.",
      "/learning/submissions",
    ],
    [
      { kind: "moderated", what: "picture", is_kept: false },
      "Your profile picture was removed because it broke our rules. If you disagree, write to support@fourfold.example.",
      "/account",
    ],
    [
      {
        kind: "moderated",
        what: "answer",
        is_kept: false,
        title: "Week one",
        words: "Why Monday?",
      },
      "The question you answered about “Week one” was removed with your answer, because it broke our rules. If you disagree, write to support@fourfold.example.",
      "/dashboard",
    ],
    ...(["question", "sentence"] as const).map(
      (name) =>
        [
          {
            kind: "moderated",
            what: name === "sentence" ? "rating" : name,
            is_kept: false,
            title: "Week one",
            words: "Why Monday?",
            written_at: "2026-11-18T09:00:00+00:00",
            place: {
              category: "general",
              shelf: "courses",
              subcategory: "learning",
              item_id: "c1",
              module: "week-one",
              title: "Week one",
            },
          },
          `The ${name} you wrote about “Week one” on 18 November 2026, “Why Monday?”, was removed because it broke our rules. If you disagree, write to support@fourfold.example.`,
          "/knowledge/courses/learning/c1?module=week-one",
        ] as const,
    ),
  ] as const)("of %o reads and leads where it should", (differs, text, path) => {
    expect(describeInBell(line(differs)).sentence).toBe(text);
    expect(describeInBell(line(differs)).path).toBe(path);
  });
});

it("names the rooms that a new level opened, and leads to them", () => {
  const said = (rooms: string[], room_count: number) => {
    const item = line({ kind: "level_up", detail: "2", rooms, room_count });
    return [describeInBell(item).sentence, describeInBell(item).path];
  };
  expect(said([], 0)).toEqual(["You reached Level 2", "/progress"]);
  expect(said(["Deals"], 1)).toEqual(["You reached Level 2. Open to you now: Deals", "/chats"]);
  expect(said(["Deals", "Pricing"], 2)[0]).toMatch(/: Deals and Pricing$/);
  expect(said(["Deals", "Pricing"], 4)[0]).toMatch(/: Deals, Pricing and 2 more rooms$/);
});

describe("a line about a question", () => {
  const place = {
    category: "general",
    shelf: "courses",
    subcategory: "learning",
    item_id: "c1",
    module: "week-one",
    title: "Week one",
  } as const;

  it("reminds a student of a course and leads there", () => {
    const nudge = line({ kind: "nudge", others: 0, place: { ...place, module: null } });
    expect(describeInBell(nudge).sentence).toBe(
      "Tom reminded you of “Week one”. Pick it up where you left off",
    );
    expect(describeInBell(nudge).path).toBe("/knowledge/courses/learning/c1");
  });

  it("leads a mentor to the studio, and who asked to the lesson", () => {
    const asked = line({ kind: "question", others: 0, place });
    expect(describeInBell(asked).sentence).toBe("Tom asked about “Week one”");
    expect(describeInBell(asked).path).toBe("/studio");
    const answered = line({ kind: "answer", others: 0, place });
    expect(describeInBell(answered).sentence).toBe("Tom answered your question about “Week one”");
    expect(describeInBell(answered).path).toBe("/knowledge/courses/learning/c1?module=week-one");
  });
});
