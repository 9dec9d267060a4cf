import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";

export const draftKinds = ["article", "course"] as const;
export type DraftKind = (typeof draftKinds)[number];

const statuses = [
  "draft",
  "submitted",
  "returned",
  "scheduled",
  "published",
  "withdrawn",
  "archived",
] as const;
export type DraftStatus = (typeof statuses)[number];

/** Whether its mentor may write in a draft that stands so. */
export function isEditable(status: DraftStatus): boolean {
  return status !== "submitted" && status !== "scheduled" && status !== "archived";
}

export interface DraftModule {
  readonly slug: string;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  /** Null when they are to be computed. */
  readonly minutes: number | null;
  readonly videoUrl: string | null;
}

/** What a mentor writes: the text and the metadata of one version. */
export interface DraftContent {
  readonly title: string;
  readonly subcategoryId: string | null;
  readonly slug: string;
  /** Excerpt of an article, description of a course. */
  readonly excerpt: string;
  readonly tags: readonly string[];
  /** Markdown of an article; empty for a course. */
  readonly content: string;
  readonly difficulty: "beginner" | "intermediate" | "advanced";
  /** Pounds, for courses. */
  readonly price: number;
  readonly modules: readonly DraftModule[];
  /** Address of its picture in the storage; null for the drawn cover. */
  readonly cover: string | null;
}

/** Whether a draft says anything yet: there is a text, or a lesson that was begun. */
export function hasText({ content, modules }: Pick<DraftContent, "content" | "modules">): boolean {
  return [
    content,
    ...modules.map((each) => each.title + each.content + (each.videoUrl ?? "")),
  ].some((words) => words.trim() !== "");
}

/** Where a draft stands. Times are in epoch milliseconds. */
export interface DraftSummary {
  readonly id: string;
  readonly ownerId: string;
  /** First and last name; empty when the reader may not see them. */
  readonly ownerName: string;
  readonly kind: DraftKind;
  readonly status: DraftStatus;
  readonly title: string;
  /** Number of the newest version. */
  readonly version: number;
  /** The version members read; null before the first publication. */
  readonly publishedVersion: number | null;
  readonly submittedAt: number | null;
  readonly publishAt: number | null;
  readonly updatedAt: number;
}

export interface DraftComment {
  readonly id: string;
  readonly version: number;
  /** The words the comment is about; empty for the whole. */
  readonly quote: string;
  readonly comment: string;
  readonly createdAt: number;
}

/** A saved version in the list of versions. */
export interface VersionEntry {
  readonly version: number;
  readonly savedAt: number;
  readonly title: string;
}

const summaryShape = z.object({
  id: z.string(),
  owner_id: z.string(),
  owner: z.nullable(
    z.object({ first_name: z.nullable(z.string()), last_name: z.nullable(z.string()) }),
  ),
  kind: z.enum(draftKinds),
  status: z.enum(statuses),
  title: z.string(),
  version: z.number(),
  published_version: z.nullable(z.number()),
  submitted_at: z.nullable(z.string()),
  publish_at: z.nullable(z.string()),
  updated_at: z.string(),
});

function toTime(value: string | null): number | null {
  return value === null ? null : Date.parse(value);
}

/** Reads a row of `drafts`. Throws on another shape. */
export function toDraftSummary(value: unknown): DraftSummary {
  return summaryFrom(summaryShape.parse(value));
}

/** Reads rows of `drafts`, without those of kinds and states this release doesn't know. Throws on another shape. */
export function toDraftSummaries(value: unknown): readonly DraftSummary[] {
  return knownItems(summaryShape).parse(value).map(summaryFrom);
}

function summaryFrom(row: z.infer<typeof summaryShape>): DraftSummary {
  return {
    id: row.id,
    ownerId: row.owner_id,
    ownerName: [row.owner?.first_name, row.owner?.last_name].filter(Boolean).join(" "),
    kind: row.kind,
    status: row.status,
    title: row.title,
    version: row.version,
    publishedVersion: row.published_version,
    submittedAt: toTime(row.submitted_at),
    publishAt: toTime(row.publish_at),
    updatedAt: Date.parse(row.updated_at),
  };
}

const contentShape = z.object({
  title: z.string(),
  subcategory_id: z.nullable(z.string()),
  slug: z.string(),
  excerpt: z.string(),
  tags: z.array(z.string()),
  content: z.string(),
  difficulty_level: z.enum(["beginner", "intermediate", "advanced"]),
  price: z.number(),
  modules: z.array(
    z.object({
      slug: z.string(),
      title: z.string(),
      content: z.string(),
      minutes: z.nullable(z.number()),
      video_url: z.nullable(z.string()),
    }),
  ),
  cover: z.nullable(z.string()),
});

/** Reads a row of `draft_versions`. Throws on another shape. */
export function toDraftContent(value: unknown): DraftContent {
  const row = contentShape.parse(value);
  return {
    title: row.title,
    subcategoryId: row.subcategory_id,
    slug: row.slug,
    excerpt: row.excerpt,
    tags: row.tags,
    content: row.content,
    difficulty: row.difficulty_level,
    price: row.price,
    modules: row.modules.map(({ video_url: videoUrl, ...module }) => ({ ...module, videoUrl })),
    cover: row.cover,
  };
}

/** The object that `create_draft` and `save_draft` take. */
export function toDraftFields(content: DraftContent) {
  return {
    title: content.title,
    subcategory_id: content.subcategoryId,
    slug: content.slug,
    excerpt: content.excerpt,
    tags: [...content.tags],
    content: content.content,
    difficulty_level: content.difficulty,
    price: content.price,
    modules: content.modules.map(({ videoUrl, ...module }) => ({ ...module, video_url: videoUrl })),
    cover: content.cover,
  };
}

/** Letters that are not others with a sign above or below. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** The last part of an address, made from a title: lower case, digits and hyphens. */
export function slugOf(title: string): string {
  return title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => plainLetters[letter] ?? "")
    .replaceAll(/[\u0300-\u036f'’]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 80)
    .replaceAll(/^-|-$/g, "");
}

/** The tags in a line of text, separated by commas. */
export function tagsIn(line: string): string[] {
  return line
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

/** A copy with the item at `from` moved to `to`; the same items when there is no such place. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const moved = items[from];
  if (moved === undefined || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, moved);
}
