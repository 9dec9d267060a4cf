import * as z from "zod/mini";
import { toSubmissionAuthor, type SubmissionAuthor } from "./submission.ts";

export interface Comment {
  readonly id: string;
  readonly content: string;
  /** ISO time. */
  readonly createdAt: string;
  readonly author: SubmissionAuthor;
}

/** How many comments come at once, the newest first. */
export const commentPageSize = 20;
/** Characters; the database refuses more. */
export const maxCommentLength = 2000;

const row = z.object({
  id: z.string(),
  user_id: z.string(),
  content: z.string(),
  created_at: z.string(),
  author: z.unknown(),
});

/** Reads a row as it is asked for; null when it is not one. */
export function toComment(value: unknown): Comment | null {
  const parsed = row.safeParse(value);
  if (!parsed.success) return null;
  const { id, user_id, content, created_at, author } = parsed.data;
  return { id, content, createdAt: created_at, author: toSubmissionAuthor(author, user_id) };
}
