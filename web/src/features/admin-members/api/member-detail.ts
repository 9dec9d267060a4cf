import { toAuditEntries, type AuditEntry } from "@/features/admin-audit/index.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { memberDetailShape } from "../model/member-detail.ts";

/** Reads everything about one member. Throws the database's error. */
export async function fetchMemberDetail(client: BackendClient, member: string) {
  const { data, error } = await client.rpc("member_detail", { member });
  if (error) throw error;
  const detail = memberDetailShape.parse(data);
  const audit: readonly AuditEntry[] = toAuditEntries(detail.audit);
  return { ...detail, audit };
}
