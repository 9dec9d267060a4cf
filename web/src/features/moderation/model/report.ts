import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";
import { reportCategories, type ReportCategory } from "@/domain/report-categories.ts";
import { toRole, type Role } from "@/domain/roles.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import { reportKinds, type ReportKind } from "./report-kinds.ts";

/** What a member is about to report. */
export interface ReportSubject {
  readonly kind: ReportKind;
  readonly id: string;
  /** What it is called, where the window's title says so. */
  readonly name?: string;
  /** The reported words. */
  readonly quote?: string | undefined;
}

/** What was written before or after something reported. */
export interface ContextLine {
  /** Undefined where the report kept a copy of it. */
  readonly id: string | undefined;
  readonly author: string;
  /** Empty once it is deleted. */
  readonly content: string;
  /** Only the beginning of a longer text. */
  readonly isCut: boolean;
  readonly isDeleted: boolean;
  readonly createdAt: number;
}

/** Why one member reported something. */
export interface GivenReason {
  /** Null without one, and for one that a later release added. */
  readonly category: ReportCategory | null;
  /** Empty when the category says it. */
  readonly words: string;
}

/** Something that members have reported and that waits for an administrator. */
export interface Report {
  readonly id: number;
  readonly kind: ReportKind;
  readonly author: {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly avatarUrl: string | null;
    readonly isSuspended: boolean;
  };
  /** As it was when it was first reported. */
  readonly content: string;
  /** Name of the picture it had then. */
  readonly picture: string | null;
  readonly pictureAlt: string;
  /** What was written before it, oldest first: of a direct message as the report kept it, of a room as it is now. */
  readonly before: readonly ContextLine[];
  /** What was written after it in its room, oldest first. */
  readonly after: readonly ContextLine[];
  /** It stands in a room, in which nothing is written around it. */
  readonly isAlone: boolean;
  /** Epoch milliseconds; null where its kind does not say. */
  readonly writtenAt: number | null;
  /** Of a profile. */
  readonly occupation: string;
  readonly topics: readonly string[];
  /** Where it is, as far as its kind says so. */
  readonly place: {
    readonly subjectId: string;
    readonly roomId: string | null;
    readonly submissionId: string | null;
    /** Of the room or the submission. */
    readonly name: string;
  };
  readonly isChanged: boolean;
  /** Its author has deleted it meanwhile. */
  readonly isDeleted: boolean;
  readonly reports: number;
  /** Why each of them was made, the first first. */
  readonly reasons: readonly GivenReason[];
  /** Epoch milliseconds. */
  readonly reportedAt: number;
}

const text = z.nullish(z.string());
const lines = z.array(
  z.object({
    id: z.optional(z.string()),
    author: text,
    content: z.string(),
    is_cut: z.optional(z.boolean()),
    is_deleted: z.optional(z.boolean()),
    created_at: z.string(),
  }),
);
const schema = knownItems(
  z.object({
    report_id: z.number(),
    kind: z.enum(reportKinds),
    subject_id: z.string(),
    author: z.object({
      id: z.string(),
      name: text,
      role: text,
      avatar_url: text,
      // Missing in what a host of an earlier release answers.
      is_suspended: z.nullish(z.boolean()),
    }),
    snapshot: z.object({
      name: text,
      content: text,
      bio: text,
      occupation: text,
      topics: z.nullish(z.array(z.string())),
      picture: text,
      picture_alt: text,
      context: z.nullish(lines),
    }),
    // Missing in what a host of an earlier release answers.
    around: z.nullish(z.object({ before: lines, after: lines })),
    place: z.object({
      room_id: text,
      room_name: text,
      submission_id: text,
      title: text,
      is_deleted: z.nullish(z.boolean()),
      written_at: text,
    }),
    is_changed: z.boolean(),
    reports: z.number(),
    reasons: z.array(z.string()),
    // Missing in what a host of an earlier release answers.
    categories: z.nullish(z.array(text)),
    first_reported_at: z.string(),
  }),
);

const lineFrom = (line: z.infer<typeof lines>[number]): ContextLine => ({
  id: line.id,
  author: line.author || unnamedMember,
  content: line.content,
  isCut: line.is_cut === true,
  isDeleted: line.is_deleted === true,
  createdAt: Date.parse(line.created_at),
});

/** Reads what `report_queue` answers. */
export function reportsFrom(answer: unknown): readonly Report[] {
  return schema.parse(answer).map(({ author, snapshot, place, around, ...row }) => ({
    id: row.report_id,
    kind: row.kind,
    author: {
      id: author.id,
      name: (snapshot.name ?? author.name) || unnamedMember,
      role: toRole(author.role),
      avatarUrl: author.avatar_url ?? null,
      isSuspended: author.is_suspended === true,
    },
    content: snapshot.content ?? snapshot.bio ?? "",
    picture: snapshot.picture ?? null,
    pictureAlt: snapshot.picture_alt ?? "",
    before: (around?.before ?? snapshot.context ?? []).map(lineFrom),
    after: (around?.after ?? []).map(lineFrom),
    isAlone: around?.before.length === 0 && around.after.length === 0,
    writtenAt: place.written_at ? Date.parse(place.written_at) : null,
    occupation: snapshot.occupation ?? "",
    topics: snapshot.topics ?? [],
    place: {
      subjectId: row.subject_id,
      roomId: place.room_id ?? null,
      submissionId: place.submission_id ?? null,
      name: place.room_name ?? place.title ?? "",
    },
    isChanged: row.is_changed,
    isDeleted: place.is_deleted === true,
    reports: row.reports,
    reasons: row.reasons.map((words, index) => ({
      category: reportCategories.find((each) => each === row.categories?.[index]) ?? null,
      words,
    })),
    reportedAt: Date.parse(row.first_reported_at),
  }));
}

/** The gravest first; what has no category comes after all of them. */
const bySeriousness: readonly (ReportCategory | null)[] = [
  "danger",
  "harassment",
  "scam",
  "privacy",
  "spam",
  "other",
  null,
];
const rankOf = ({ category }: GivenReason) => bySeriousness.indexOf(category);

/** The gravest of the reasons, and of several the first. */
export function mainReason({ reasons }: Pick<Report, "reasons">): GivenReason {
  return reasons.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? { category: null, words: "" };
}

/** The reports whose reason is gravest first; those of one category stay in their order. */
export function mostSeriousFirst(reports: readonly Report[]): readonly Report[] {
  return reports.toSorted((a, b) => rankOf(mainReason(a)) - rankOf(mainReason(b)));
}
