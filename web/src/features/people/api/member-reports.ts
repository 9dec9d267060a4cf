import * as z from "zod/mini";
import { toRole, type Role } from "@/domain/roles.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";

/** A member whom others have reported, with the profile as it was then. */
export interface MemberReport {
  readonly id: number;
  readonly memberId: string;
  readonly name: string;
  readonly role: Role;
  readonly avatarUrl: string | null;
  readonly occupation: string;
  readonly bio: string;
  readonly topics: readonly string[];
  /** The profile has been edited since. */
  readonly isChanged: boolean;
  readonly reports: number;
  readonly reasons: readonly string[];
  /** Epoch milliseconds. */
  readonly reportedAt: number;
}

/** Keep the profile as it is, or clear its bio and topics. */
export type ProfileDecision = "keep" | "clear";

const text = z.nullish(z.string());
const schema = z.array(
  z.object({
    report_id: z.number(),
    member_id: z.string(),
    role_name: z.string(),
    avatar_url: text,
    profile: z.object({ name: text, occupation: text, bio: text, topics: z.array(z.string()) }),
    is_changed: z.boolean(),
    reports: z.number(),
    reasons: z.array(z.string()),
    first_reported_at: z.string(),
  }),
);

/** Reports a member to the administrators. Throws the database's error. */
export async function reportMember(
  client: BackendClient,
  memberId: string,
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("report_member", { member_id: memberId, reason });
  if (error) throw error;
}

/** Reads the reported members who wait for a decision. Administrators only. Throws the database's error. */
export async function fetchMemberReports(client: BackendClient): Promise<readonly MemberReport[]> {
  const { data, error } = await client.rpc("member_report_queue");
  if (error) throw error;
  return schema.parse(data).map((row) => ({
    id: row.report_id,
    memberId: row.member_id,
    name: row.profile.name || unnamedMember,
    role: toRole(row.role_name),
    avatarUrl: row.avatar_url ?? null,
    occupation: row.profile.occupation ?? "",
    bio: row.profile.bio ?? "",
    topics: row.profile.topics,
    isChanged: row.is_changed,
    reports: row.reports,
    reasons: row.reasons,
    reportedAt: Date.parse(row.first_reported_at),
  }));
}

/** Decides about a reported member. Administrators only. Throws the database's error. */
export async function resolveMemberReport(
  client: BackendClient,
  reportId: number,
  decision: ProfileDecision,
): Promise<void> {
  const { error } = await client.rpc("resolve_member_report", { report_id: reportId, decision });
  if (error) throw error;
}
