import * as z from "zod/mini";
import type { MessageAuthor } from "@/features/chat/index.ts";
import { knownItems } from "@/domain/known-items.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import { personFrom } from "./conversation.ts";

/** A reported direct message or post that waits for an administrator. */
export interface TextReport {
  readonly id: number;
  readonly subject: "message" | "post";
  readonly author: MessageAuthor;
  /** As it was when it was reported. */
  readonly content: string;
  /** Up to five messages before a reported one, oldest first. */
  readonly context: readonly {
    readonly author: string;
    readonly content: string;
    readonly createdAt: number;
  }[];
  readonly isChanged: boolean;
  readonly reports: number;
  readonly reasons: readonly string[];
  /** Epoch milliseconds. */
  readonly reportedAt: number;
}

const schema = knownItems(
  z.object({
    report_id: z.number(),
    subject: z.enum(["message", "post"]),
    author: z.object({ id: z.string(), name: z.string(), role: z.nullish(z.string()) }),
    content: z.string(),
    context: z.array(
      z.object({ author: z.nullable(z.string()), content: z.string(), created_at: z.string() }),
    ),
    is_changed: z.boolean(),
    reports: z.number(),
    reasons: z.array(z.string()),
    first_reported_at: z.string(),
  }),
);

/** Reads what `text_report_queue` answers. */
export function textReportsFrom(answer: unknown): readonly TextReport[] {
  return schema.parse(answer).map((row) => ({
    id: row.report_id,
    subject: row.subject,
    author: personFrom(row.author),
    content: row.content,
    context: row.context.map(({ author, content, created_at }) => ({
      author: author || unnamedMember,
      content,
      createdAt: Date.parse(created_at),
    })),
    isChanged: row.is_changed,
    reports: row.reports,
    reasons: row.reasons,
    reportedAt: Date.parse(row.first_reported_at),
  }));
}
