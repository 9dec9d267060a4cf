import type { SubmissionEdit } from "./draft.ts";
import type { Submission, SubmissionFields } from "./submission.ts";
import type { SubmissionType } from "./submission-type.ts";

/** How many submissions come at once. */
export const feedPageSize = 20;

/** The next page begins after this row. */
export interface Cursor {
  readonly createdAt: string;
  readonly id: string;
}

/** One page as it was fetched, and what has happened to it since. */
export interface FeedPage {
  readonly submissions: readonly Submission[];
  /**
   * Where the next one begins, as of the fetching: later additions and deletions do not move it.
   */
  readonly next: Cursor | null;
}

/** The pages in the order in which they were fetched, newest first. */
export interface Feed {
  readonly pages: readonly FeedPage[];
  readonly pageParams: readonly unknown[];
}

/** Null when the page was the last. */
export function cursorAfter(
  page: readonly { readonly createdAt: string; readonly id: string }[],
  pageSize: number,
): Cursor | null {
  const last = page.at(-1);
  return last && page.length >= pageSize ? { createdAt: last.createdAt, id: last.id } : null;
}

/** A PostgREST filter for rows after the cursor, newest first. */
export function olderThan({ createdAt, id }: Cursor): string {
  return `created_at.lt."${createdAt}",and(created_at.eq."${createdAt}",id.lt."${id}")`;
}

/** Every submission once, although a page may have moved while the next was fetched. */
export function submissionsOf(feed: Feed | undefined): readonly Submission[] {
  const known = new Set<string>();
  return (feed?.pages.flatMap((page) => page.submissions) ?? []).filter(({ id }) => {
    const isNew = !known.has(id);
    known.add(id);
    return isNew;
  });
}

/** Puts a new submission on top, unless it is there already or of a type one did not ask for. */
export function withNew<F extends Feed>(
  feed: F,
  submission: Submission,
  wanted: SubmissionType | null,
): F {
  if (wanted !== null && submission.type !== wanted) return feed;
  if (submissionsOf(feed).some(({ id }) => id === submission.id)) return feed;
  const [first, ...rest] = feed.pages;
  if (!first) return feed;
  const page = { ...first, submissions: [submission, ...first.submissions] };
  return { ...feed, pages: [page, ...rest] };
}

/** Brings one submission to what is known now. */
export function withChanged<F extends Feed>(
  feed: F,
  id: string,
  change: (before: Submission) => Submission,
): F {
  return onEveryPage(feed, (submissions) =>
    submissions.map((each) => (each.id === id ? change(each) : each)),
  );
}

function onEveryPage<F extends Feed>(
  feed: F,
  alter: (submissions: readonly Submission[]) => readonly Submission[],
): F {
  const pages = feed.pages.map((page) => ({ ...page, submissions: alter(page.submissions) }));
  return { ...feed, pages };
}

/** The same submission with the row's present fields. */
export function mergeSubmissionFields(before: Submission, fields: SubmissionFields): Submission {
  return { ...before, ...fields };
}

/** The same submission with its text changed; the same text again is no edit. */
export function withEdit(before: Submission, { title, content }: SubmissionEdit): Submission {
  if (before.title === title && before.content === content) return before;
  return { ...before, title, content, edited: true, featured: false };
}

export function withoutOne<F extends Feed>(feed: F, gone: string): F {
  return onEveryPage(feed, (submissions) => submissions.filter(({ id }) => id !== gone));
}

/** Likes or takes the like back; the count never falls below nothing. */
export function withLike(before: Submission, liked: boolean): Submission {
  if (before.likedByMe === liked) return before;
  return {
    ...before,
    likedByMe: liked,
    likeCount: Math.max(0, before.likeCount + (liked ? 1 : -1)),
  };
}
