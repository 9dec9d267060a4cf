import * as z from "zod/mini";
import { toRole, type Role } from "@/domain/roles.ts";
import { levelByNumber } from "@/domain/levels.ts";
import { searchText } from "@/lib/search-text.ts";
import { knownItems } from "@/domain/known-items.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";

export const postKinds = ["request", "offer"] as const;
export type PostKind = (typeof postKinds)[number];

/** Longest title and text, in characters; the database has the same limits. */
export const maxPostTitleLength = 80;
export const maxPostDetailsLength = 600;

/** An offer or a request. */
export interface Post {
  readonly id: string;
  readonly kind: PostKind;
  readonly title: string;
  readonly details: string;
  readonly topics: readonly string[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly endsAt: number;
  readonly isEdited: boolean;
  readonly isOpen: boolean;
}

/** A post of another member. */
export interface FoundPost extends Post {
  readonly author: {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly occupation: string;
    readonly avatarUrl: string | null;
    readonly level: number;
  };
}

const postSchema = z.object({
  id: z.string(),
  kind: z.enum(postKinds),
  title: z.string(),
  details: z.string(),
  topics: z.array(z.string()),
  created_at: z.string(),
  edited_at: z.nullable(z.string()),
  ends_at: z.string(),
  is_open: z.boolean(),
});

function postFrom(row: z.infer<typeof postSchema>): Post {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    details: row.details,
    topics: row.topics,
    createdAt: Date.parse(row.created_at),
    endsAt: Date.parse(row.ends_at),
    isEdited: row.edited_at !== null,
    isOpen: row.is_open,
  };
}

/** Reads what `my_collaboration_posts` answers. */
export function ownPostsFrom(answer: unknown): readonly Post[] {
  return knownItems(postSchema).parse(answer).map(postFrom);
}

const foundSchema = z.extend(postSchema, {
  author: z.object({
    id: z.string(),
    name: z.string(),
    role: z.nullish(z.string()),
    occupation: z.nullish(z.string()),
    avatar_url: z.nullish(z.string()),
    level: z.number(),
  }),
});

/** Reads what `collaboration_page` answers. */
export function foundPostsFrom(answer: unknown): readonly FoundPost[] {
  return z
    .array(foundSchema)
    .parse(answer)
    .map((row) => ({
      ...postFrom(row),
      author: {
        id: row.author.id,
        name: row.author.name || unnamedMember,
        role: toRole(row.author.role),
        occupation: row.author.occupation ?? "",
        avatarUrl: row.author.avatar_url ?? null,
        level: row.author.level,
      },
    }));
}

/** The filters as they stand in the address; empty when not chosen. */
export const noPostFilters = { search: "", kind: "", level: "", topic: "" };
export type PostFilters = Readonly<typeof noPostFilters>;

const limits = { search: 200, topic: 40 } as const;

/** What is asked of the database: filters that do not exist are left out, because anyone can edit an address. */
export function postQuery({ search, kind, level, topic }: PostFilters) {
  const said = (text: string, limit: number) => searchText(text, limit) || undefined;
  return {
    search: said(search, limits.search),
    kind: postKinds.find((each) => each === kind),
    level: levelByNumber(Number(level))?.number,
    topic: said(topic, limits.topic),
  };
}
export type PostQuery = ReturnType<typeof postQuery>;
