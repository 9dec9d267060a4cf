import * as z from "zod/mini";
import { toRole, type Role } from "@/domain/roles.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import { toSubmissionType, type SubmissionType } from "./submission-type.ts";

/** Who wrote something, as other members see them. */
export interface SubmissionAuthor {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly occupation: string | null;
  /** Of the profile picture. */
  readonly avatarUrl: string | null;
}

export interface Submission {
  readonly id: string;
  readonly type: SubmissionType;
  readonly title: string;
  readonly content: string;
  /** As the database keeps it; only its last part, the name, means anything. */
  readonly imageUrl: string | null;
  readonly featured: boolean;
  readonly likeCount: number;
  readonly commentCount: number;
  /** ISO time. */
  readonly createdAt: string;
  /** True when the author has changed title or text since. */
  readonly edited: boolean;
  readonly author: SubmissionAuthor;
  readonly likedByMe: boolean;
}

const author = z.object({
  id: z.string(),
  role: z.unknown(),
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  occupation: z.nullable(z.string()),
  avatar_url: z.nullish(z.string()),
});

/** Reads an author, with a fallback for an unreadable profile. */
export function toSubmissionAuthor(value: unknown, userId: string): SubmissionAuthor {
  const parsed = author.safeParse(value);
  if (!parsed.success) {
    return {
      id: userId,
      name: unnamedMember,
      role: "student",
      occupation: null,
      avatarUrl: null,
    };
  }
  const { id, role, first_name, last_name, occupation, avatar_url } = parsed.data;
  const name = [first_name, last_name].filter(Boolean).join(" ").trim();
  return {
    id,
    name: name === "" ? unnamedMember : name,
    role: toRole(role),
    occupation,
    avatarUrl: avatar_url ?? null,
  };
}

const row = z.object({
  id: z.string(),
  user_id: z.string(),
  submission_type: z.unknown(),
  title: z.string(),
  content: z.string(),
  image_url: z.nullable(z.string()),
  is_featured: z.boolean(),
  like_count: z.number(),
  comment_count: z.number(),
  created_at: z.string(),
  edited_at: z.nullish(z.string()),
});

/** What a change of a submission can alter while it is being looked at. */
export type SubmissionFields = Omit<Submission, "author" | "likedByMe">;

/** Reads the row itself, without author and likes; null when it is not one. */
export function toSubmissionFields(value: unknown): SubmissionFields | null {
  const parsed = row.safeParse(value);
  if (!parsed.success) return null;
  const found = parsed.data;
  return {
    id: found.id,
    type: toSubmissionType(found.submission_type) ?? "progress_report",
    title: found.title,
    content: found.content,
    imageUrl: found.image_url,
    featured: found.is_featured,
    likeCount: found.like_count,
    commentCount: found.comment_count,
    createdAt: found.created_at,
    edited: Boolean(found.edited_at),
  };
}

const surroundings = z.object({
  user_id: z.string(),
  author: z.unknown(),
  likes: z.optional(z.array(z.unknown())),
});

/** Reads a row as it is asked for: with its author, and with the reader's own likes only. */
export function toSubmission(value: unknown): Submission | null {
  const fields = toSubmissionFields(value);
  const parsed = surroundings.safeParse(value);
  if (fields === null || !parsed.success) return null;
  return {
    ...fields,
    author: toSubmissionAuthor(parsed.data.author, parsed.data.user_id),
    likedByMe: (parsed.data.likes ?? []).length > 0,
  };
}
