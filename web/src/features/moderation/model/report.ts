import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";
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

/** Something that members have reported and that waits for an administrator. */
export interface Report {
  readonly id: number;
  readonly kind: ReportKind;
  readonly author: {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly avatarUrl: string | null;
  };
  /** As it was when it was first reported. */
  readonly content: string;
  /** Name of the picture it had then. */
  readonly picture: string | null;
  readonly pictureAlt: string;
  /** What was written before it, oldest first. */
  readonly context: readonly {
    readonly author: string;
    readonly content: string;
    readonly createdAt: number;
  }[];
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
  readonly reasons: readonly string[];
  /** Epoch milliseconds. */
  readonly reportedAt: number;
}

const text = z.nullish(z.string());
const schema = knownItems(
  z.object({
    report_id: z.number(),
    kind: z.enum(reportKinds),
    subject_id: z.string(),
    author: z.object({ id: z.string(), name: text, role: text, avatar_url: text }),
    snapshot: z.object({
      name: text,
      content: text,
      bio: text,
      occupation: text,
      topics: z.nullish(z.array(z.string())),
      picture: text,
      picture_alt: text,
      context: z.nullish(
        z.array(z.object({ author: text, content: z.string(), created_at: z.string() })),
      ),
    }),
    place: z.object({
      room_id: text,
      room_name: text,
      submission_id: text,
      title: text,
      is_deleted: z.nullish(z.boolean()),
    }),
    is_changed: z.boolean(),
    reports: z.number(),
    reasons: z.array(z.string()),
    first_reported_at: z.string(),
  }),
);

/** Reads what `report_queue` answers. */
export function reportsFrom(answer: unknown): readonly Report[] {
  return schema.parse(answer).map(({ author, snapshot, place, ...row }) => ({
    id: row.report_id,
    kind: row.kind,
    author: {
      id: author.id,
      name: (snapshot.name ?? author.name) || unnamedMember,
      role: toRole(author.role),
      avatarUrl: author.avatar_url ?? null,
    },
    content: snapshot.content ?? snapshot.bio ?? "",
    picture: snapshot.picture ?? null,
    pictureAlt: snapshot.picture_alt ?? "",
    context: (snapshot.context ?? []).map((each) => ({
      author: each.author || unnamedMember,
      content: each.content,
      createdAt: Date.parse(each.created_at),
    })),
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
    reasons: row.reasons,
    reportedAt: Date.parse(row.first_reported_at),
  }));
}
