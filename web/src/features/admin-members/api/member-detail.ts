import { toAuditEntries, type AuditEntry } from "@/features/admin-audit/index.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { memberDetailShape } from "../model/member-detail.ts";

/** Reads everything about one member. Throws the database's error. */
export async function fetchMemberDetail(client: BackendClient, member: string) {
  const [{ data, error }, profile] = await Promise.all([
    client.rpc("member_detail", { member }),
    client.from("profiles").select("avatar_url").eq("id", member).maybeSingle(),
  ]);
  if (error) throw error;
  if (profile.error) throw profile.error;
  const detail = memberDetailShape.parse(data);
  const audit: readonly AuditEntry[] = toAuditEntries(detail.audit);
  return { ...detail, audit, avatarUrl: profile.data?.avatar_url ?? null };
}
