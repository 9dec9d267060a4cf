import { toRole } from "@/domain/roles.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { toAppError, type AppError } from "@/lib/errors.ts";
import type { Profile } from "../model/profile.ts";

export type ProfileAnswer =
  | { readonly kind: "found"; readonly profile: Profile }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly error: AppError };

/** Reads one profile. Throws when no answer came at all (network down, request aborted). */
export async function fetchProfile(client: BackendClient, userId: string): Promise<ProfileAnswer> {
  const { data, error, status } = await client
    .from("profiles")
    .select("*")
    .eq("id", userId)
    .maybeSingle();
  if (error) {
    if (status === 0) throw new Error(error.message);
    return { kind: "failed", error: toAppError(error) };
  }
  if (data === null) return { kind: "missing" };
  return {
    kind: "found",
    profile: {
      id: data.id,
      role: toRole(data.role),
      onboardingComplete: data.onboarding_complete,
      firstName: data.first_name,
      lastName: data.last_name,
      occupation: data.occupation,
      bio: data.bio,
      avatarUrl: data.avatar_url ?? null,
    },
  };
}
