import { z } from "zod";

const place = z.object({
  category: z.string(),
  shelf: z.string(),
  subcategory: z.string(),
  item_id: z.string(),
  module: z.string().nullable(),
  title: z.string(),
});

/** What `private.notification_line` says of a notification. Kinds that are not known here are told by their topic. */
export const notificationLine = z.object({
  kind: z.string(),
  topic: z.string(),
  detail: z.string().nullish(),
  actor: z.string().nullish(),
  /** How many other members did the same. */
  others: z.number().int().default(0),
  room: z.string().nullish(),
  chat_room_id: z.string().nullish(),
  message_id: z.string().nullish(),
  submission_id: z.string().nullish(),
  /** Of a mention in a comment. */
  comment_id: z.string().nullish(),
  /** Of a pact that is due: whether its day is over. */
  is_overdue: z.boolean().nullish(),
  /** The author of a direct message. */
  member_id: z.string().nullish(),
  /** Of a new level: the names of up to two rooms it opened, and how many there are. */
  rooms: z.array(z.string()).nullish(),
  room_count: z.number().int().nullish(),
  achievement: z.string().nullish(),
  certificate_id: z.string().nullish(),
  /** Of the review of a draft; its title may be empty. */
  draft_id: z.string().nullish(),
  draft: z.string().nullish(),
  draft_kind: z.string().nullish(),
  place: place.nullish().catch(null),
});
export type ToldLine = z.infer<typeof notificationLine>;

/** What is told, in one sentence without a full stop, and the path it leads to. */
export interface ToldNotification {
  sentence: string;
  path: string;
}

/** Kinds without a sentence of their own, by topic. */
const topics: Readonly<Record<string, ToldNotification>> = {
  rooms: { sentence: "Something new for you in the rooms", path: "/chats" },
  messages: { sentence: "You have a new message", path: "/messages" },
  submissions: {
    sentence: "Something new about a submission",
    path: "/learning/submissions",
  },
  pacts: { sentence: "Something new about a pact", path: "/learning/pacts" },
  learning: { sentence: "Something new in the library", path: "/dashboard" },
  progress: { sentence: "Something new in your progress", path: "/progress" },
  people: { sentence: "Something new from another member", path: "/dashboard" },
  account: { sentence: "Something about your account needs you", path: "/account" },
};
const anything: ToldNotification = { sentence: "You have a new notification", path: "/dashboard" };

/** `Tom`, `Tom and 1 other`, `Tom and 3 others`. */
function who({ actor, others }: ToldLine): string {
  const name = actor === null || actor === undefined || actor === "" ? "A member" : actor;
  if (others === 0) return name;
  return `${name} and ${others} other${others === 1 ? "" : "s"}`;
}

/** `Deals`, `Deals and Strategy`, `Deals, Strategy and 2 more rooms`. */
function roomNames({ rooms, room_count: count }: ToldLine): string {
  const names = rooms ?? [];
  const more = (count ?? names.length) - names.length;
  if (more < 1) return names.join(" and ");
  return `${names.join(", ")} and ${more} more room${more === 1 ? "" : "s"}`;
}

function roomPath({ chat_room_id: room, message_id: message }: ToldLine): string {
  const path = `/chats/${encodeURIComponent(room ?? "")}`;
  return message ? `${path}#${encodeURIComponent(message)}` : path;
}

function submissionPath({ submission_id: id }: ToldLine): string {
  return `/learning/submissions?submission=${encodeURIComponent(id ?? "")}`;
}

function commentsPath(line: ToldLine): string {
  return `${submissionPath(line)}&comments=open`;
}

function libraryPath({ place: at }: ToldLine): string {
  if (!at) return "/dashboard";
  const parts = [
    at.category === "general" ? "knowledge" : at.category,
    at.shelf === "articles" ? "foundations" : at.shelf,
    at.subcategory,
    at.item_id,
  ].map(encodeURIComponent);
  const path = `/${parts.join("/")}`;
  return at.module === null ? path : `${path}?module=${encodeURIComponent(at.module)}`;
}

function draftPath({ draft_id: id }: ToldLine): string {
  return `/studio/${encodeURIComponent(id ?? "")}`;
}

/** `“A plan for Monday”`, or `Your article` without a title. */
function draftName({ draft, draft_kind: kind }: ToldLine): string {
  return draft?.trim() ? `“${draft}”` : `Your ${kind ?? "draft"}`;
}

/**
 * What e-mails and push messages say of a notification: what happened and where, never what was written. The bell of
 * `web/src/features/notifications` has the same sentences: functions may not import them, so both are changed together.
 */
export function describeNotification(line: ToldLine): ToldNotification {
  const room = line.room ?? "a room";
  const title = line.place?.title ?? "a text";
  switch (line.kind) {
    case "reply":
      return { sentence: `${who(line)} replied to your message in ${room}`, path: roomPath(line) };
    case "mention":
      return { sentence: `${who(line)} mentioned you in ${room}`, path: roomPath(line) };
    case "announcement":
      return { sentence: `${who(line)} posted to everyone in ${room}`, path: roomPath(line) };
    case "direct_message":
      return {
        sentence: `${who(line)} wrote to you`,
        path: `/messages/${encodeURIComponent(line.member_id ?? "")}`,
      };
    case "submission_mention":
      return line.comment_id
        ? { sentence: `${who(line)} mentioned you in a comment`, path: commentsPath(line) }
        : { sentence: `${who(line)} mentioned you in a submission`, path: submissionPath(line) };
    case "message_like":
      return { sentence: `${who(line)} liked your message in ${room}`, path: roomPath(line) };
    case "submission_like":
      return { sentence: `${who(line)} liked your submission`, path: submissionPath(line) };
    case "submission_comment":
      return { sentence: `${who(line)} commented on your submission`, path: commentsPath(line) };
    case "room_open":
      return { sentence: `A room has opened: ${room}`, path: roomPath(line) };
    case "level_up":
      return line.rooms?.length
        ? {
            sentence: `You reached Level ${line.detail ?? ""}. Open to you now: ${roomNames(line)}`,
            path: "/chats",
          }
        : { sentence: `You reached Level ${line.detail ?? ""}`, path: "/progress" };
    case "achievement":
      return {
        sentence: line.achievement
          ? `You earned “${line.achievement}”`
          : "You earned a new achievement",
        path: "/achievements",
      };
    case "certificate":
      return {
        sentence: "Your certificate is ready",
        path: `/certificates/${encodeURIComponent(line.certificate_id ?? "")}`,
      };
    case "check_in_due":
      return {
        sentence: "This month's check-in is due. It takes a minute",
        path: "/progress",
      };
    case "baseline_due":
      return {
        sentence:
          "Write down what you earn a month in your first week. Without it the guarantee doesn't apply",
        path: "/progress",
      };
    case "legal_changed":
      return { sentence: "There is a new version of our terms", path: "/terms" };
    case "sale_ended":
      return {
        sentence: "An administrator ended the sale of your course",
        path: "/studio/selling",
      };
    case "identity_approved":
      return { sentence: "Your identity has been verified", path: "/verification" };
    case "identity_rejected":
      return {
        sentence: "Your identity document was not accepted. Please send another",
        path: "/verification",
      };
    case "payment_failed":
      return {
        sentence: "Your last payment failed. Update your card to keep your membership",
        path: "/subscriptions",
      };
    case "payment_refunded":
      return { sentence: "We've refunded a payment to you", path: "/subscriptions" };
    case "membership_ended":
      return { sentence: "Your membership has ended", path: "/subscriptions" };
    case "report_decided":
      return { sentence: "We've decided about what you reported", path: "/dashboard" };
    case "moderated":
      return { sentence: "Something of yours was removed after a report", path: "/dashboard" };
    case "question":
      return { sentence: `${who(line)} asked about “${title}”`, path: "/studio" };
    case "answer":
      return {
        sentence: `${who(line)} answered your question about “${title}”`,
        path: libraryPath(line),
      };
    case "nudge":
      return {
        sentence: `${who(line)} reminded you of “${line.place?.title ?? "a course"}”. Pick it up where you left off`,
        path: libraryPath(line),
      };
    case "draft_returned":
      return {
        sentence: `${draftName(line)} was sent back. Read the comments, then submit it again`,
        path: draftPath(line),
      };
    case "draft_scheduled":
      return {
        sentence: `${draftName(line)} was approved. It will be published at its time`,
        path: draftPath(line),
      };
    case "draft_published":
      return { sentence: `${draftName(line)} is published`, path: draftPath(line) };
    case "draft_not_published":
      return {
        sentence: `${draftName(line)} couldn't be published at its time. See what to change`,
        path: draftPath(line),
      };
    case "draft_recalled":
      return {
        sentence: `${draftName(line)} was taken back by an administrator. Submit it again when it is ready`,
        path: draftPath(line),
      };
    case "draft_withdrawn":
      return {
        sentence: `${draftName(line)} was withdrawn from the library by an administrator`,
        path: draftPath(line),
      };
    case "witness_asked":
      return { sentence: `${who(line)} asked you to witness a pact`, path: "/learning/pacts" };
    case "witness_accepted":
      return { sentence: `${who(line)} agreed to witness your pact`, path: "/learning/pacts" };
    case "witness_declined":
      return { sentence: `${who(line)} can't witness your pact`, path: "/learning/pacts" };
    case "pact_due": {
      const when = line.is_overdue ? "overdue" : "due soon";
      return {
        sentence: line.actor
          ? `${who(line)}'s pact is ${when}. Ask how it's going`
          : `Your pact is ${when}`,
        path: "/learning/pacts",
      };
    }
    case "pact_outcome":
      return { sentence: `${who(line)} recorded how their pact went`, path: submissionPath(line) };
    default:
      return topics[line.topic] ?? anything;
  }
}
