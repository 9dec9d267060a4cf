import * as z from "zod/mini";
import { categories } from "@/domain/categories.ts";
import { requirementKinds } from "@/domain/level-progress.ts";
import { knownItems } from "@/domain/known-items.ts";
import { membershipStatuses } from "./member.ts";

// Named as the database names them: the panel shows nearly every field once, and nothing else reads them.

const text = z.nullable(z.string());
const category = z.nullable(z.enum(categories));

const account = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  occupation: text,
  role: z.enum(["student", "mentor", "admin"]),
  level: z.number(),
  joined_at: z.string(),
  last_sign_in_at: text,
  is_confirmed: z.boolean(),
  is_onboarded: z.boolean(),
  /** Whether a mentor publishes without a review. */
  is_trusted: z.boolean(),
  has_second_factor: z.boolean(),
  sessions: z.number(),
  /** Null unless the account is suspended now; `until` is null until it is lifted. */
  suspension: z.nullable(z.object({ until: text, reason: text })),
});

const billing = z.object({
  membership: z.enum(membershipStatuses),
  subscription: z.nullable(
    z.object({
      status: z.string(),
      hold: text,
      plan: text,
      pending_plan: text,
      period_ends_at: text,
      ends_with_period: z.boolean(),
      /** A pause that is planned or runs. */
      pause: z.optional(z.nullable(z.object({ begins_at: z.string(), ends_at: text }))),
      card_brand: text,
      card_last4: text,
    }),
  ),
  paid_pence: z.number(),
  refunded_pence: z.number(),
  /** The newest payments, refunds and disputes. */
  records: knownItems(
    z.object({
      id: z.number(),
      kind: z.enum(["payment", "refund", "dispute"]),
      status: z.string(),
      amount: z.number(),
      currency: z.string(),
      reason: text,
      happened_at: z.string(),
    }),
  ),
});

const progress = z.object({
  completions: z.array(z.object({ level: z.number(), completed_at: z.string() })),
  requirements: knownItems(
    z.object({
      level: z.number(),
      kind: z.enum(requirementKinds),
      category,
      needed: z.number(),
      count: z.number(),
    }),
  ),
  /** The newest events behind the counts, at most five of each kind and category. */
  evidence: knownItems(
    z.object({
      id: z.number(),
      kind: z.enum(requirementKinds),
      category,
      /** Both null when what it was about is gone. */
      label: text,
      path: text,
      happened_at: z.string(),
    }),
  ),
});

const conduct = z.object({
  submission_count: z.number(),
  submissions: z.array(
    z.object({
      id: z.string(),
      submission_type: z.string(),
      title: z.string(),
      is_featured: z.boolean(),
      like_count: z.number(),
      comment_count: z.number(),
      created_at: z.string(),
    }),
  ),
  reports_made: z.number(),
  reports_received: z.number(),
  reports: knownItems(
    z.object({
      id: z.number(),
      kind: z.string(),
      /** True for a report about the member, false for one the member made. */
      is_about_member: z.boolean(),
      other_id: z.string(),
      other_name: text,
      // Missing in what a host of an earlier release answers.
      category: z.nullish(z.string()),
      reason: z.string(),
      content: z.string(),
      decision: z.nullable(z.enum(["keep", "remove", "clear"])),
      /** Of a message in a room. */
      room: text,
      created_at: z.string(),
    }),
  ),
});

const identity = z.object({
  /** Five documents were rejected, and an administrator has to decide. */
  is_flagged: z.boolean(),
  documents: knownItems(
    z.object({
      id: z.string(),
      document_type: z.string(),
      status: z.enum(["pending", "approved", "rejected"]),
      rejected_reason: text,
      submitted_at: z.string(),
      reviewed_at: text,
    }),
  ),
});

const notes = z.array(
  z.object({ id: z.number(), note: z.string(), author: text, created_at: z.string() }),
);

/** Everything the console shows of one member; the audit entries are read by their own feature. */
export const memberDetailShape = z.object({
  account,
  billing,
  progress,
  conduct,
  identity,
  notes,
  audit: z.unknown(),
});

export type AccountDetail = z.infer<typeof account>;
export type BillingDetail = z.infer<typeof billing>;
export type ProgressDetail = z.infer<typeof progress>;
export type ConductDetail = z.infer<typeof conduct>;
export type IdentityDetail = z.infer<typeof identity>;
export type MemberNote = z.infer<typeof notes>[number];

/** What stands in headings and sentences: the name, or the address without one. */
export function nameOfMember({
  name,
  email,
}: {
  readonly name: string;
  readonly email: string;
}): string {
  return name === "" ? email : name;
}
