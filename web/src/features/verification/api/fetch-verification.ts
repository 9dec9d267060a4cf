import type { BackendClient } from "@/lib/backend-client.ts";
import { toStatus, type Verification } from "../model/verification.ts";

/**
 * Reads the latest document and counts the rejected ones. Rejections that an administrator has reset do not count; the
 * database hides them from members, and here they are left out for administrators too. Throws the database's error.
 */
export async function fetchVerification(
  client: BackendClient,
  userId: string,
): Promise<Verification> {
  const [latest, rejected] = await Promise.all([
    client
      .from("user_verifications")
      .select("*")
      .eq("user_id", userId)
      .is("attempts_reset_at", null)
      .order("submitted_at", { ascending: false })
      .limit(1)
      .maybeSingle(),
    client
      .from("user_verifications")
      .select("*", { count: "exact", head: true })
      .eq("user_id", userId)
      .eq("status", "rejected")
      .is("attempts_reset_at", null),
  ]);
  if (latest.error) throw latest.error;
  if (rejected.error) throw rejected.error;
  return {
    status: toStatus(latest.data?.status),
    rejectedReason: latest.data?.rejected_reason ?? null,
    submittedAt: latest.data?.submitted_at ?? null,
    rejections: rejected.count ?? 0,
  };
}
