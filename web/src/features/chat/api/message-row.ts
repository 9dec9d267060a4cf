import * as z from "zod/mini";
import { toRole } from "@/domain/roles.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import type { MessageAuthor, MessageRow } from "../model/message.ts";
import type { MessagePicture } from "../model/message-picture.ts";
import { toReaction, toReactionCounts } from "../model/reactions.ts";

const text = z.nullish(z.string());

/** The columns of `chat_messages`, as the database and the live stream write them. */
export const messageColumns = z.object({
  id: z.string(),
  user_id: z.string(),
  content: z.string(),
  parent_message_id: text,
  like_count: z.number(),
  created_at: z.string(),
  edited_at: text,
  deleted_at: text,
  changed_at: z.string(),
  reaction_counts: z.nullish(z.record(z.string(), z.number())),
  picture: text,
  picture_width: z.nullish(z.number()),
  picture_height: z.nullish(z.number()),
  picture_alt: text,
});

/** A message with its author, its quote and whether one likes it, as `room_page` answers. */
export const pageRow = z.extend(messageColumns, {
  author_first_name: text,
  author_last_name: text,
  author_role: text,
  author_occupation: text,
  author_avatar_url: text,
  liked_by_me: z.nullish(z.boolean()),
  my_reactions: z.nullish(z.array(z.string())),
  parent_content: text,
  parent_author: text,
});

/** The row alone: who wrote it and what it answers are not known from it. */
export function rowFromColumns(row: z.infer<typeof messageColumns>): MessageRow {
  return {
    id: row.id,
    authorId: row.user_id,
    content: row.content,
    parentId: row.parent_message_id ?? null,
    likeCount: row.like_count,
    createdAtRaw: row.created_at,
    changedAtRaw: row.changed_at,
    edited: Boolean(row.edited_at),
    deleted: Boolean(row.deleted_at),
    picture: pictureFrom(row),
    ...(row.reaction_counts ? { reactionCounts: toReactionCounts(row.reaction_counts) } : {}),
  };
}

/** Undefined when the answer says nothing about it. */
function pictureFrom(row: z.infer<typeof messageColumns>): MessagePicture | null | undefined {
  const { picture: name, picture_width: width, picture_height: height } = row;
  if (name === undefined) return undefined;
  if (!name || !width || !height) return null;
  return { name, file: null, width, height, alt: row.picture_alt ?? "" };
}

export function rowFromPage(row: z.infer<typeof pageRow>): MessageRow {
  const parentId = row.parent_message_id ?? null;
  return {
    ...rowFromColumns(row),
    author: authorFrom(row.user_id, {
      first_name: row.author_first_name,
      last_name: row.author_last_name,
      role: row.author_role,
      occupation: row.author_occupation,
      avatar_url: row.author_avatar_url,
    }),
    liked: row.liked_by_me ?? false,
    myReactions: (row.my_reactions ?? []).flatMap((each) => toReaction(each) ?? []),
    quote:
      parentId === null
        ? null
        : {
            id: parentId,
            author: nameOf(row.parent_author),
            content: row.parent_content ?? "",
          },
  };
}

/** The public columns of a profile as an author. */
export function authorFrom(
  id: string,
  profile: {
    readonly first_name?: string | null | undefined;
    readonly last_name?: string | null | undefined;
    readonly role?: string | null | undefined;
    readonly occupation?: string | null | undefined;
    readonly avatar_url?: string | null | undefined;
  },
): MessageAuthor {
  return {
    id,
    name: nameOf([profile.first_name, profile.last_name].filter(Boolean).join(" ")),
    role: toRole(profile.role),
    occupation: profile.occupation ?? "",
    avatarUrl: profile.avatar_url ?? null,
  };
}

/** The name to show, with a fallback for members without one. */
export function nameOf(name: string | null | undefined): string {
  return name?.trim() ? name.trim() : unnamedMember;
}
