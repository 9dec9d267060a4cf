import * as z from "zod/mini";

/** One administrative act, or one look at a document. */
export interface AuditEntry {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly happenedAt: number;
  /** The account that acted; null for the system or the operator. */
  readonly actorId: string | null;
  /** Today's name; null when the account is gone. */
  readonly actorName: string | null;
  /** Such as `account.suspended`. */
  readonly action: string;
  /** The account it is about; null when it is about none. */
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

const text = z.nullable(z.string());
const row = z.object({
  id: z.number(),
  happened_at: z.string(),
  actor: text,
  actor_name: text,
  action: z.string(),
  subject: text,
  subject_name: text,
  detail: z.record(z.string(), z.unknown()),
});

/** Reads entries as the database gives them. Throws a zod error for another shape. */
export function toAuditEntries(value: unknown): readonly AuditEntry[] {
  return z
    .array(row)
    .parse(value)
    .map((entry) => ({
      id: entry.id,
      happenedAt: Date.parse(entry.happened_at),
      actorId: entry.actor,
      actorName: entry.actor_name,
      action: entry.action,
      subjectId: entry.subject,
      subjectName: entry.subject_name,
      detail: entry.detail,
    }));
}
