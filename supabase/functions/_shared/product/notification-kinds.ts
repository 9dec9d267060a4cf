import { brand, formatPence } from "./brand.ts";
import type { NotificationFacts } from "./notification-facts.ts";
import {
  certificatePath,
  conversationPath,
  paths,
  questionFragment,
  studioDraftPath,
  submissionCommentsPath,
  submissionPath,
} from "./paths.ts";

type Say = (line: NotificationFacts) => string;

/** What one kind of notification says, and where it leads. */
interface NotificationKind {
  /** What happened, in one sentence without a full stop. Never what another member wrote. */
  readonly text: Say;
  /** Where the line leads. */
  readonly path: Say;
  /** What e-mails and push messages say instead, and where they lead. */
  readonly outside?: { readonly text?: Say; readonly path?: Say };
}

const counted = (count: number, one: string) =>
  `${count.toLocaleString(brand.locale)} ${one}${count === 1 ? "" : "s"}`;

/** `Tom`, `Tom and 1 other`, `Tom and 3 others`. */
function who({ actor, others }: NotificationFacts): string {
  const name = actor === null || actor === undefined || actor === "" ? "A member" : actor;
  return others === 0 ? name : `${name} and ${counted(others, "other")}`;
}

const roomOf = ({ room }: NotificationFacts) => room ?? "a room";
const titleOf = ({ place }: NotificationFacts) => place?.title ?? "a text";

/** `Deals`, `Deals and Strategy`, `Deals, Strategy and 2 more rooms`. */
function roomNames({ rooms, room_count: count }: NotificationFacts): string {
  const names = rooms ?? [];
  const more = (count ?? names.length) - names.length;
  if (more < 1) return names.join(" and ");
  return `${names.join(", ")} and ${counted(more, "more room")}`;
}

/** `“A plan for Monday”`, or `Your article` without a title. */
const draftName = ({ draft, draft_kind: kind }: NotificationFacts) =>
  draft?.trim() ? `“${draft}”` : `Your ${kind ?? "draft"}`;

/** An id as a part of an address. */
const part = (id: string | null | undefined) => encodeURIComponent(id ?? "");

function roomPath({ chat_room_id: room, message_id: message }: Partial<NotificationFacts>): string {
  const path = `${paths.chats}/${part(room)}`;
  return message ? `${path}#${part(message)}` : path;
}

const submission: Say = ({ submission_id: id }) => submissionPath(part(id));
const comments: Say = ({ submission_id: id }) => submissionCommentsPath(part(id));
const draft: Say = ({ draft_id: id }) => studioDraftPath(part(id));
const reading: Say = ({ place: at }) => {
  if (!at) return paths.dashboard;
  const parts = [
    at.category === "general" ? "knowledge" : at.category,
    at.shelf === "articles" ? "foundations" : at.shelf,
    at.subcategory,
    at.item_id,
  ].map(part);
  const path = `/${parts.join("/")}`;
  return at.module === null ? path : `${path}?module=${part(at.module)}`;
};

/** Leads on to the question itself; nothing when a line of an earlier release does not say which. */
const questionOf: Say = ({ question_id: id }) => (id ? questionFragment(part(id)) : "");

/** Why a payment ended the membership. */
const endings: Readonly<Record<string, string>> = {
  refunded: "Your last payment was refunded, so your membership has ended",
  dispute_lost: "Your bank reversed a payment, so your membership has ended",
};

const dayOf = (at: string) => new Date(at).toLocaleDateString(brand.locale, { dateStyle: "long" });

/** ` on 12 May 2026`; nothing for a line of an earlier release. */
const writtenOn: Say = ({ written_at: at }) => (at ? ` on ${dayOf(at)}` : "");
/** `The message you wrote in General on 12 May 2026, “Rude”,`; `A message you wrote` as far as no more is known. */
const written = (name: string, where: string, line: NotificationFacts) =>
  line.words
    ? `The ${name} you wrote${where}${writtenOn(line)}, “${line.words}”,`
    : `A ${name} you wrote${where}${writtenOn(line)}`;
const inRoom: Say = ({ room }) => (room ? ` in ${room}` : "");
/** ` about “Week one”`; nothing where the title isn't known. */
const about: Say = ({ title }) => (title ? ` about “${title}”` : "");
const titled = (name: string, { title }: NotificationFacts) =>
  title ? `Your ${name} “${title}”` : `A ${name} of yours`;

/** What was reported, to who reported it and to its author; it may be gone, and who reported is not led to it. */
const reported: Readonly<Record<string, { theirs: string; own: Say; path: Say }>> = {
  message: {
    theirs: "the message",
    own: (line) => `${written("message", inRoom(line), line)} was removed`,
    // Where it stood says that it was deleted. A line of an earlier release doesn't know where, nor does one for who reported it.
    path: (line) => (line.chat_room_id ? roomPath(line) : paths.chats),
  },
  profile: {
    theirs: "the profile",
    own: () => "Your bio and topics were cleared",
    path: () => paths.account,
  },
  submission: {
    theirs: "the submission",
    own: (line) => `${titled("submission", line)} was removed`,
    path: () => paths.submissions,
  },
  comment: {
    theirs: "the comment",
    own: (line) => `${written("comment", about(line), line)} was removed`,
    path: () => paths.submissions,
  },
  direct_message: {
    theirs: "the message",
    own: (line) => `${written("direct message", "", line)} was removed`,
    path: () => paths.messages,
  },
  post: {
    theirs: "the post",
    own: (line) => `${titled("post", line)} was removed`,
    path: () => paths.collaborate,
  },
};
const anythingReported = {
  theirs: "what",
  own: () => "Something of yours was removed",
  path: () => paths.dashboard,
};
const reportedThing = ({ what }: NotificationFacts) => reported[what ?? ""] ?? anythingReported;

const underText = (own: Say) => ({ own, path: reading });

/** What nobody reports, and an administrator takes away. */
const unreported: Readonly<Record<string, { own: Say; path: Say }>> = {
  question: underText((line) => `${written("question", about(line), line)} was removed`),
  answer: underText(
    (line) => `The question you answered${about(line)} was removed with your answer,`,
  ),
  rating: underText((line) => `${written("sentence", about(line), line)} was removed`),
  picture: { own: () => "Your profile picture was removed", path: () => paths.account },
};
const removedThing = (line: NotificationFacts) =>
  unreported[line.what ?? ""] ?? reportedThing(line);

const legalTexts: Readonly<Record<string, { name: string; path: string }>> = {
  terms: { name: "our terms", path: paths.terms },
  privacy: { name: "our privacy notice", path: paths.privacy },
  refunds: { name: "our refund terms", path: paths.refunds },
};
const defaultLegalText = { name: "our terms", path: paths.terms };
const legalText = ({ what }: NotificationFacts) => legalTexts[what ?? ""] ?? defaultLegalText;

/** Every kind of `private.notification_kinds`: the one place of what the bell, e-mails and push messages say of it. */
export const notificationKinds = {
  reply: {
    text: (line) => `${who(line)} replied to your message in ${roomOf(line)}`,
    path: roomPath,
  },
  mention: { text: (line) => `${who(line)} mentioned you in ${roomOf(line)}`, path: roomPath },
  announcement: {
    text: (line) => `${who(line)} posted to everyone in ${roomOf(line)}`,
    path: roomPath,
  },
  message_like: {
    text: (line) => `${who(line)} liked your message in ${roomOf(line)}`,
    path: roomPath,
  },
  room_open: {
    text: (line) => `A room has opened: ${roomOf(line)}`,
    path: ({ chat_room_id }) => roomPath({ chat_room_id }),
  },
  direct_message: {
    text: (line) => `${who(line)} wrote to you`,
    path: ({ member_id: member }) => conversationPath(part(member)),
  },
  submission_like: { text: (line) => `${who(line)} liked your submission`, path: submission },
  submission_comment: {
    text: (line) => `${who(line)} commented on your submission`,
    path: comments,
  },
  submission_mention: {
    text: (line) =>
      `${who(line)} mentioned you in ${line.comment_id ? "a comment" : "a submission"}`,
    path: (line) => (line.comment_id ? comments(line) : submission(line)),
  },
  level_up: {
    text: (line) =>
      line.rooms?.length
        ? `You reached Level ${line.detail ?? ""}. Open to you now: ${roomNames(line)}`
        : `You reached Level ${line.detail ?? ""}`,
    path: ({ rooms }) => (rooms?.length ? paths.chats : paths.progress),
  },
  achievement: {
    text: ({ achievement }) =>
      achievement ? `You earned “${achievement}”` : "You earned a new achievement",
    path: () => paths.achievements,
  },
  certificate: {
    text: () => "Your certificate is ready",
    path: ({ certificate_id: id }) => certificatePath(part(id)),
  },
  check_in_due: {
    text: () => "This month's check-in is due. It takes a minute",
    path: () => paths.progressGuarantee,
    outside: { path: () => paths.progress },
  },
  baseline_due: {
    text: ({ deadline }) => {
      const when = deadline ? `by ${dayOf(deadline)}` : "in your first week";
      return `Write down what you earn a month ${when}. Without it the guarantee doesn't apply`;
    },
    path: () => paths.progressGuarantee,
    outside: { path: () => paths.progress },
  },
  identity_approved: {
    text: () => "Your identity has been verified",
    path: () => paths.verification,
  },
  identity_rejected: {
    text: () => "Your identity document was not accepted. Please send another",
    path: () => paths.verification,
  },
  payment_failed: {
    text: () => "Your last payment failed. Update your card to keep your membership",
    path: () => paths.subscriptions,
  },
  payment_refunded: {
    text: ({ amount_pence: amount, currency: by }) => {
      const what = typeof amount === "number" && by ? formatPence(amount, by) : "a payment";
      return `We've refunded ${what} to you; it usually arrives within 5 to 10 working days`;
    },
    path: () => paths.subscriptions,
    outside: { text: () => "We've refunded a payment to you" },
  },
  membership_ended: {
    text: ({ why }) => endings[why ?? ""] ?? "Your membership has ended. Your progress is kept.",
    path: () => paths.subscriptions,
    outside: { text: () => "Your membership has ended" },
  },
  report_decided: {
    text: (line) => {
      const looked = `We looked at ${reportedThing(line).theirs} you reported${inRoom(line)}`;
      return line.is_kept
        ? `${looked}. It doesn't break our rules, so it stays.`
        : `${looked}. It broke our rules and was ${line.what === "profile" ? "cleared" : "removed"}. Thank you for telling us.`;
    },
    path: (line) => reportedThing(line).path(line),
    outside: {
      text: () => "We've decided about what you reported",
      path: () => paths.dashboard,
    },
  },
  moderated: {
    text: (line) =>
      `${removedThing(line).own(line)} because it broke our rules. If you disagree, write to ${brand.supportEmail}.`,
    path: (line) => removedThing(line).path(line),
    outside: {
      text: () => "Something of yours was removed",
      path: () => paths.dashboard,
    },
  },
  legal_changed: {
    text: (line) => `There is a new version of ${legalText(line).name}`,
    path: (line) => legalText(line).path,
  },
  question: {
    text: (line) => `${who(line)} asked about “${titleOf(line)}”`,
    path: (line) => `${paths.studio}${questionOf(line)}`,
  },
  answer: {
    text: (line) => `${who(line)} answered your question about “${titleOf(line)}”`,
    path: (line) => (line.place ? `${reading(line)}${questionOf(line)}` : reading(line)),
  },
  answer_helpful: {
    text: (line) => `${who(line)} found your answer about “${titleOf(line)}” helpful`,
    path: (line) => (line.place ? `${reading(line)}${questionOf(line)}` : reading(line)),
  },
  nudge: {
    text: (line) =>
      `${who(line)} reminded you of “${line.place?.title ?? "a course"}”. Pick it up where you left off`,
    path: reading,
  },
  draft_returned: {
    text: (line) => `${draftName(line)} was sent back. Read the comments, then submit it again`,
    path: draft,
  },
  draft_scheduled: {
    text: (line) => `${draftName(line)} was approved. It will be published at its time`,
    path: draft,
  },
  draft_published: { text: (line) => `${draftName(line)} is published`, path: draft },
  draft_not_published: {
    text: (line) => `${draftName(line)} couldn't be published at its time. See what to change`,
    path: draft,
  },
  draft_recalled: {
    text: (line) =>
      `${draftName(line)} was taken back by an administrator. Submit it again when it is ready`,
    path: draft,
  },
  draft_withdrawn: {
    text: (line) => `${draftName(line)} was withdrawn from the library by an administrator`,
    path: draft,
  },
  sale_ended: {
    text: () => "An administrator ended the sale of your course",
    path: () => paths.studioSelling,
  },
  witness_asked: {
    text: (line) => `${who(line)} asked you to witness a pact`,
    path: () => paths.pacts,
  },
  witness_accepted: {
    text: (line) => `${who(line)} agreed to witness your pact`,
    path: () => paths.pacts,
  },
  witness_declined: {
    text: (line) => `${who(line)} can't witness your pact`,
    path: () => paths.pacts,
  },
  pact_due: {
    text: (line) => {
      const when = line.is_overdue ? "overdue" : "due soon";
      return line.actor === null || line.actor === undefined
        ? `Your pact is ${when}`
        : `${who(line)}'s pact is ${when}. Ask how it's going`;
    },
    path: () => paths.pacts,
  },
  pact_outcome: {
    text: (line) => `${who(line)} recorded how their pact went`,
    path: submission,
  },
} as const satisfies Readonly<Record<string, NotificationKind>>;

/** A kind that this release knows. */
export type NotificationKindName = keyof typeof notificationKinds;

/** What a kind says; undefined for one that a later release added. */
export function notificationKind(kind: string): NotificationKind | undefined {
  return Object.hasOwn(notificationKinds, kind)
    ? notificationKinds[kind as NotificationKindName]
    : undefined;
}
