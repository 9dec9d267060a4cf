import type { Submission, SubmissionFacts } from "./submission.ts";
import type { SubmissionType } from "./submission-type.ts";

/** How many submissions come at once. */
export const feedPageSize = 20;

/** Where the next page begins: after this one. */
export interface Cursor {
  readonly createdAt: string;
  readonly id: string;
}

/** The pages in the order in which they were fetched, newest first. */
export interface Feed {
  readonly pages: readonly (readonly Submission[])[];
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

/** What comes after the cursor, in the words of the query language; newest first. */
export function olderThan({ createdAt, id }: Cursor): string {
  return `created_at.lt."${createdAt}",and(created_at.eq."${createdAt}",id.lt."${id}")`;
}

/** Every submission once, although a page may have moved while the next was fetched. */
export function submissionsOf(feed: Feed | undefined): readonly Submission[] {
  const known = new Set<string>();
  return (feed?.pages.flat() ?? []).filter(({ id }) => {
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
  if (feed.pages.some((page) => page.some(({ id }) => id === submission.id))) return feed;
  const [first = [], ...rest] = feed.pages;
  return { ...feed, pages: [[submission, ...first], ...rest] };
}

/** Brings one submission to what is known now. */
export function withChanged<F extends Feed>(
  feed: F,
  id: string,
  change: (before: Submission) => Submission,
): F {
  return {
    ...feed,
    pages: feed.pages.map((page) => page.map((each) => (each.id === id ? change(each) : each))),
  };
}

/** The same submission with the row's present facts. */
export function withFacts(before: Submission, facts: SubmissionFacts): Submission {
  return { ...before, ...facts };
}

export function withoutOne<F extends Feed>(feed: F, gone: string): F {
  return { ...feed, pages: feed.pages.map((page) => page.filter(({ id }) => id !== gone)) };
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
