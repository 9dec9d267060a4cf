import type { NotificationFacts } from "./notification-facts.ts";
import { notificationKind } from "./notification-kinds.ts";
import { paths } from "./paths.ts";

/** What a notification says, in one sentence without a full stop, and the path it leads to. */
export interface DescribedNotification {
  sentence: string;
  path: string;
}

const anything: DescribedNotification = {
  sentence: "You have a new notification",
  path: paths.dashboard,
};

/** What e-mails and push messages say of a kind that a later release added, by its topic. */
const topics: Readonly<Record<string, DescribedNotification>> = {
  rooms: { sentence: "Something new for you in the rooms", path: paths.chats },
  messages: { sentence: "You have a new message", path: paths.messages },
  submissions: { sentence: "Something new about a submission", path: paths.submissions },
  pacts: { sentence: "Something new about a pact", path: paths.pacts },
  learning: { sentence: "Something new in the library", path: paths.dashboard },
  progress: { sentence: "Something new in your progress", path: paths.progress },
  people: { sentence: "Something new from another member", path: paths.dashboard },
  account: { sentence: "Something about your account needs you", path: paths.account },
};

/** A line of the bell. A tab that was open before a release says so of the kinds it added. */
export function describeInBell(line: NotificationFacts & { kind: string }): DescribedNotification {
  const kind = notificationKind(line.kind);
  return kind === undefined
    ? { ...anything, sentence: `${anything.sentence}. Reload the page to see what it is` }
    : { sentence: kind.text(line), path: kind.path(line) };
}

/** What e-mails and push messages say, which others may see on a screen: what happened and where, never what was written. */
export function describeOutside(
  line: NotificationFacts & { kind: string; topic: string },
): DescribedNotification {
  const kind = notificationKind(line.kind);
  if (kind === undefined) return topics[line.topic] ?? anything;
  const { text = kind.text, path = kind.path } = kind.outside ?? {};
  return { sentence: text(line), path: path(line) };
}
