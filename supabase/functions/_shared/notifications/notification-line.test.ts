import { describe, expect, test } from "vitest";
import { describeOutside } from "../product/describe-notification.ts";
import { notificationLine } from "./notification-line.ts";

const room = { room: "General", chat_room_id: "a room/1" };
const text = {
  place: {
    category: "general",
    shelf: "articles",
    subcategory: "basics",
    item_id: "first-sale",
    module: null,
    title: "First sale",
  },
};
const course = { ...text.place, category: "wealth", shelf: "courses", module: "2" };

describe("a notification outside the product", () => {
  test.each([
    ["reply", "rooms", room, "Tom replied to your message in General", "/chats/a%20room%2F1"],
    [
      "mention",
      "rooms",
      { ...room, message_id: "m1" },
      "Tom mentioned you in General",
      "/chats/a%20room%2F1#m1",
    ],
    ["message_like", "rooms", room, "Tom liked your message in General", "/chats/a%20room%2F1"],
    [
      "submission_like",
      "submissions",
      { submission_id: "s1", others: 1 },
      "Tom and 1 other liked your submission",
      "/learning/submissions?submission=s1",
    ],
    [
      "submission_comment",
      "submissions",
      { submission_id: "s1", others: 3 },
      "Tom and 3 others commented on your submission",
      "/learning/submissions?submission=s1&comments=open",
    ],
    [
      "announcement",
      "rooms",
      { ...room, message_id: "m1" },
      "Tom posted to everyone in General",
      "/chats/a%20room%2F1#m1",
    ],
    ["direct_message", "messages", { member_id: "ada" }, "Tom wrote to you", "/messages/ada"],
    [
      "submission_mention",
      "submissions",
      { submission_id: "s1" },
      "Tom mentioned you in a submission",
      "/learning/submissions?submission=s1",
    ],
    [
      "submission_mention",
      "submissions",
      { submission_id: "s1", comment_id: "c1" },
      "Tom mentioned you in a comment",
      "/learning/submissions?submission=s1&comments=open",
    ],
    [
      "achievement",
      "progress",
      { achievement: "First course" },
      "You earned “First course”",
      "/achievements",
    ],
    [
      "certificate",
      "progress",
      { certificate_id: "c1" },
      "Your certificate is ready",
      "/certificates/c1",
    ],
    [
      "nudge",
      "learning",
      { place: { ...course, module: null } },
      "Tom reminded you of “First sale”. Pick it up where you left off",
      "/wealth/courses/basics/first-sale",
    ],
    ["payment_refunded", "account", {}, "We've refunded a payment to you", "/subscriptions"],
    [
      "report_decided",
      "account",
      { what: "message" },
      "We've decided about what you reported",
      "/dashboard",
    ],
    [
      "legal_changed",
      "account",
      { what: "terms" },
      "There is a new version of our terms",
      "/terms",
    ],
    ["moderated", "account", { words: "Rude" }, "Something of yours was removed", "/dashboard"],
    ["membership_ended", "account", {}, "Your membership has ended", "/subscriptions"],
    [
      "check_in_due",
      "progress",
      {},
      "This month's check-in is due. It takes a minute",
      "/progress",
    ],
    [
      "baseline_due",
      "progress",
      {},
      "Write down what you earn a month in your first week. Without it the guarantee doesn't apply",
      "/progress",
    ],
    [
      "draft_returned",
      "learning",
      { draft_id: "d1", draft: "Study" },
      "“Study” was sent back. Read the comments, then submit it again",
      "/studio/d1",
    ],
    [
      "draft_scheduled",
      "learning",
      { draft_id: "d1", draft: "Study" },
      "“Study” was approved. It will be published at its time",
      "/studio/d1",
    ],
    [
      "draft_published",
      "learning",
      { draft_id: "d1", draft: "Study" },
      "“Study” is published",
      "/studio/d1",
    ],
    [
      "draft_not_published",
      "learning",
      { draft_id: "d1", draft: " ", draft_kind: "course" },
      "Your course couldn't be published at its time. See what to change",
      "/studio/d1",
    ],
    [
      "draft_recalled",
      "learning",
      { draft_id: "d1", draft: "Study" },
      "“Study” was taken back by an administrator. Submit it again when it is ready",
      "/studio/d1",
    ],
    [
      "draft_withdrawn",
      "learning",
      { draft_id: "d1", draft: "", draft_kind: "course" },
      "Your course was withdrawn from the library by an administrator",
      "/studio/d1",
    ],
    ["level_up", "progress", { detail: "2" }, "You reached Level 2", "/progress"],
    ["identity_approved", "account", {}, "Your identity has been verified", "/verification"],
    [
      "sale_ended",
      "account",
      {},
      "An administrator ended the sale of your course",
      "/studio/selling",
    ],
    ["question", "learning", text, "Tom asked about “First sale”", "/studio"],
    [
      "question",
      "learning",
      { ...text, question_id: "q1" },
      "Tom asked about “First sale”",
      "/studio#question-q1",
    ],
    [
      "answer_helpful",
      "learning",
      { ...text, question_id: "q1" },
      "Tom found your answer about “First sale” helpful",
      "/knowledge/foundations/basics/first-sale#question-q1",
    ],
    [
      "answer",
      "learning",
      text,
      "Tom answered your question about “First sale”",
      "/knowledge/foundations/basics/first-sale",
    ],
    [
      "answer",
      "learning",
      { place: course, question_id: "q/1" },
      "Tom answered your question about “First sale”",
      "/wealth/courses/basics/first-sale?module=2#question-q%2F1",
    ],
    [
      "answer",
      "learning",
      { question_id: "q1" },
      "Tom answered your question about “a text”",
      "/dashboard",
    ],
    ["pact_due", "pacts", {}, "Tom's pact is due soon. Ask how it's going", "/learning/pacts"],
    ["pact_due", "pacts", { actor: null }, "Your pact is due soon", "/learning/pacts"],
    [
      "pact_due",
      "pacts",
      { actor: null, is_overdue: true },
      "Your pact is overdue",
      "/learning/pacts",
    ],
    [
      "pact_due",
      "pacts",
      { is_overdue: true },
      "Tom's pact is overdue. Ask how it's going",
      "/learning/pacts",
    ],
    ["witness_declined", "pacts", {}, "Tom can't witness your pact", "/learning/pacts"],
    [
      "pact_outcome",
      "pacts",
      { submission_id: "s1" },
      "Tom recorded how their pact went",
      "/learning/submissions?submission=s1",
    ],
  ])("of the kind %s says who and where", (kind, topic, more, sentence, path) => {
    const line = notificationLine.parse({ kind, topic, actor: "Tom", others: 0, ...more });
    expect(describeOutside(line)).toEqual({ sentence, path });
  });

  test("of a kind that is not known here is told by its topic", () => {
    const line = { kind: "later", topic: "pacts", actor: "Tom", others: 0 };
    const described = describeOutside(notificationLine.parse(line));
    expect(described).toEqual({ sentence: "Something new about a pact", path: "/learning/pacts" });
    const unknown = notificationLine.parse({ ...line, topic: "later" });
    expect(describeOutside(unknown).path).toBe("/dashboard");
  });

  test("is told of a member whose name is gone", () => {
    const line = notificationLine.parse({ kind: "mention", topic: "rooms", actor: "" });
    expect(describeOutside(line).sentence).toBe("A member mentioned you in a room");
  });

  test("of another area may hold a place of its own form", () => {
    const line = { kind: "later", topic: "people", place: "somewhere" };
    expect(describeOutside(notificationLine.parse(line)).path).toBe("/dashboard");
  });
});
