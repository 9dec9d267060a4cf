import type { BackendClient } from "@/lib/backend-client.ts";
import type { Complimentary } from "../model/complimentary.ts";

/** The member's complimentary membership that was not revoked; null without one. Throws the database's error. */
export async function fetchComplimentary(client: BackendClient): Promise<Complimentary | null> {
  const { data, error } = await client
    .from("complimentary_memberships")
    .select("plan_id, ends_at")
    .is("ended_at", null)
    .maybeSingle();
  if (error) throw error;
  if (data === null) return null;
  return {
    planId: data.plan_id,
    endsAt: data.ends_at === null ? null : Date.parse(data.ends_at),
  };
}
