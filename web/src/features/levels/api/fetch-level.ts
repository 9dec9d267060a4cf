import type { BackendClient } from "@/lib/backend-client.ts";

/** How far a member has come. `current` is 0 until onboarding is finished. */
export interface MemberLevel {
  readonly current: number;
  readonly unlocked: readonly number[];
}

/** Reads a member's level. Throws the database's error. */
export async function fetchLevel(client: BackendClient, userId: string): Promise<MemberLevel> {
  const { data, error } = await client
    .from("user_levels")
    .select("current_level, unlocked_levels")
    .eq("user_id", userId)
    .maybeSingle();
  if (error) throw error;
  return { current: data?.current_level ?? 0, unlocked: data?.unlocked_levels ?? [] };
}
