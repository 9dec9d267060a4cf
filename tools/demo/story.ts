import { readConversation, usedRooms } from "./conversation.ts";
import { conversations, posts } from "./direct-messages.ts";
import { libraryActionsOf, type DemoLibrary } from "./library.ts";
import { likesOf, reactionTo, share } from "./likes.ts";
import { mentorTexts } from "./mentor-texts.ts";
import type { Calendar } from "./moments.ts";
import { pacts, type StoryPact } from "./pacts.ts";
import { climbs } from "./people.ts";
import { storyQuestions } from "./questions.ts";
import { demoId, type Line } from "./read-room.ts";
import { submissions } from "./submissions.ts";
import type { StorySubmission } from "./submissions/types.ts";

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** One row to write. `subject` and `object` are ids of rows; which ones depends on the kind, as `write-story.ts` says. */
export interface StoryEvent {
  kind: string;
  /** First name of the member who acts. */
  by: string;
  /** Milliseconds since the epoch. */
  at: number;
  subject?: string | undefined;
  object?: string | undefined;
  /** A room, a type of submission or an outcome. */
  word?: string | undefined;
  title?: string | undefined;
  text?: string | undefined;
  /** A day as YYYY-MM-DD. */
  day?: string | undefined;
  stars?: number | undefined;
  topics?: readonly string[] | undefined;
  /** First name of the member who is meant. */
  other?: string | undefined;
}

/** A submission with its id, for the picture that is drawn for it later. */
export interface PicturedSubmission {
  id: string;
  by: string;
  bars: readonly number[];
}

/** When each member opened each of their rooms: those of a level soon after it was reached. */
function openedRooms(
  by: string,
  lines: readonly Line[],
  calendar: Calendar,
): ReadonlyMap<string, number> {
  const climb = climbs[by];
  if (!climb) throw new Error(`no climb of ${by}`);
  const moments = [climb.joined, ...climb.reached].map((moment) => calendar.at(moment));
  const opened = new Map<string, number>();
  const written = new Set(lines.filter((line) => line.by === by).map((line) => line.room));
  for (const { id, level } of usedRooms) {
    // An administrator may enter every room, and opens one when there is something to answer.
    const first = lines.find((line) => line.by === by && line.room === id)?.at;
    const from = moments[level - 1] ?? (first === undefined ? undefined : first - 10 * minuteMs);
    const isWanted = climb.rooms === undefined || opened.size < climb.rooms || written.has(id);
    if (from !== undefined && isWanted) opened.set(id, from + (1 + opened.size) * minuteMs);
  }
  if (climb.rooms === undefined) return opened;
  // Members at level 1 have opened the rooms they wrote in, and others up to their number.
  const order = [...opened].toSorted(
    ([left], [right]) => Number(written.has(right)) - Number(written.has(left)),
  );
  return new Map(order.slice(0, Math.max(climb.rooms, written.size)));
}

/** The members who like a submission: those who had joined, and each at a moment of their own. */
function submissionLikes(
  id: string,
  shared: { by: string; likes: number },
  at: number,
  calendar: Calendar,
): StoryEvent[] {
  return Object.entries(climbs)
    .filter(([name]) => name !== shared.by)
    .map(([name, climb]) => {
      const from = Math.max(at, calendar.at(climb.joined) + 30 * minuteMs);
      const wait = (4 + 900 * share(`${name} waits ${id}`) ** 2) * minuteMs;
      const latest = from + (calendar.now - from) * share(`${name} hurries ${id}`);
      const likedAt = Math.min(from + wait, latest);
      return { kind: "submission_like", by: name, at: likedAt, subject: id };
    })
    .filter((like) => like.at - at < 4 * dayMs && like.at < calendar.now)
    .toSorted((left, right) => share(`${left.by} ${id}`) - share(`${right.by} ${id}`))
    .slice(0, shared.likes);
}

function commentsOf(id: string, comments: readonly string[], calendar: Calendar): StoryEvent[] {
  return comments.map((comment, place) => {
    const [, moment = "", by = "", text = ""] = /^(\S+ \S+) (\w+): (.+)$/.exec(comment) ?? [];
    const subject = demoId(2, Number(id.slice(-6)) * 100 + place);
    return { kind: "comment", by, at: calendar.at(moment), subject, object: id, text };
  });
}

function submissionEvents(shared: StorySubmission, id: string, calendar: Calendar): StoryEvent[] {
  const at = calendar.at(shared.at);
  const { by, type: word, title, text } = shared;
  return [
    { kind: "submission", by, at, subject: id, word, title, text },
    ...submissionLikes(id, shared, at, calendar),
    ...commentsOf(id, shared.comments ?? [], calendar),
    ...(shared.featured
      ? [{ kind: "feature", by: "Marcus", at: at + 12 * 60 * minuteMs, subject: id }]
      : []),
  ];
}

function pactEvents(
  pact: StoryPact,
  id: string,
  outcomeId: string,
  calendar: Calendar,
): StoryEvent[] {
  const at = calendar.at(pact.at);
  const { by, title, text, outcome } = pact;
  const day = new Date(calendar.now + pact.due * dayMs).toISOString().slice(0, 10);
  const asked = Object.entries(pact.witnesses).flatMap(([other, accepted]) => [
    { kind: "witness", by, at: at + 1000, subject: id, other },
    ...(accepted === null
      ? []
      : [{ kind: "accept", by: other, at: calendar.at(accepted), subject: id }]),
  ]);
  const closed = outcome
    ? [
        ...submissionEvents(outcome, outcomeId, calendar),
        {
          kind: "close",
          by,
          at: calendar.at(outcome.at) + 1000,
          subject: id,
          object: outcomeId,
          word: outcome.type,
        },
      ]
    : [];
  return [
    { kind: "submission", by, at, subject: id, word: "pact", title, text },
    { kind: "pact", by, at: at + 500, subject: id, day },
    ...submissionLikes(id, pact, at, calendar),
    ...asked,
    ...closed,
  ];
}

function messageEvents(lines: readonly Line[], names: ReadonlyMap<string, string>): StoryEvent[] {
  return lines.flatMap((line) => {
    const { by, at, text, id: subject, room: word } = line;
    const message = { kind: "message", by, at, subject, object: line.parent?.id, word, text };
    const mentioned = [...names].filter(([, name]) => text.includes(`@${name}`));
    return [
      message,
      ...mentioned.map(([other]) => ({ kind: "mention", by, at: at + 500, subject, other })),
      ...(line.isPinned ? [{ kind: "pin", by: "Marcus", at: at + minuteMs, subject, word }] : []),
    ];
  });
}

/**
 * Everything that happened in the demo's three weeks, oldest first.
 * @param names full names by first name.
 */
export function tellStory(
  calendar: Calendar,
  shelf: DemoLibrary,
  names: ReadonlyMap<string, string>,
): { events: StoryEvent[]; pictures: PicturedSubmission[] } {
  const lines = readConversation(calendar);
  const rooms = new Map(Object.keys(climbs).map((by) => [by, openedRooms(by, lines, calendar)]));
  const pictures = submissions.flatMap(({ by, bars }, place) =>
    bars ? [{ id: demoId(1, place + 1), by, bars }] : [],
  );
  const events: StoryEvent[] = [
    ...[...rooms].flatMap(([by, opened]) =>
      [...opened].map(([word, at]) => ({ kind: "room", by, at, word })),
    ),
    ...messageEvents(lines, names),
    ...[...rooms].flatMap(([by, opened]) =>
      likesOf(by, lines, opened, calendar).flatMap(({ at, line }) => {
        const like = { kind: "like", by, at, subject: line.id };
        const word = reactionTo(line, by);
        return word === undefined
          ? [like]
          : [like, { ...like, kind: "reaction", at: at + 1000, word }];
      }),
    ),
    ...submissions.flatMap((shared, place) =>
      submissionEvents(shared, demoId(1, place + 1), calendar),
    ),
    ...pacts.flatMap((pact, place) =>
      pactEvents(pact, demoId(1, 501 + place), demoId(1, 601 + place), calendar),
    ),
    ...Object.keys(climbs).flatMap((by) =>
      libraryActionsOf(by, shelf, calendar).map(({ id, ...act }) => ({ ...act, subject: id })),
    ),
    ...mentorTexts.flatMap(({ address: word, lessons, readers }) =>
      Object.entries(readers).map(([by, moment]) => ({
        kind: lessons ? "take_course" : "read_text",
        by,
        at: calendar.at(moment),
        word,
      })),
    ),
    ...mentorTexts.flatMap(({ address: word, readers, ratings }) =>
      Object.entries(ratings).map(([by, [stars, text]]) => ({
        kind: "rating",
        by,
        at: calendar.at(readers[by] ?? "") + 5 * minuteMs,
        word,
        text,
        stars,
      })),
    ),
    ...conversations.flatMap(({ between, lines: messages }, conversation) =>
      messages.map((message, place) => {
        const [, moment = "", by = "", text = ""] = /^(\S+ \S+) (\w+): (.+)$/s.exec(message) ?? [];
        const other = between.find((name) => name !== by);
        const subject = demoId(4, (conversation + 1) * 100 + place);
        return { kind: "direct", by, at: calendar.at(moment), subject, other, text };
      }),
    ),
    ...posts.map(({ at, by, kind: word, title, text, topics }, place) => ({
      kind: "post",
      by,
      at: calendar.at(at),
      subject: demoId(5, place + 1),
      word,
      title,
      text,
      topics,
    })),
    ...storyQuestions.flatMap((question, place) => {
      const subject = demoId(3, place + 1);
      const { by, text, mentor, answer } = question;
      const asked = {
        kind: "question",
        by,
        at: calendar.at(question.at),
        subject,
        word: question.address,
        text,
      };
      if (!answer) return [asked];
      return [
        asked,
        { kind: "answer", by: mentor, at: calendar.at(answer.at), subject, text: answer.text },
      ];
    }),
  ];
  return { events: events.toSorted((left, right) => left.at - right.at), pictures };
}
