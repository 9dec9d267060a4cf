import type { Role } from "@/domain/roles.ts";

/** Who a member is to other members. Names are null until onboarding asked for them. */
export interface Profile {
  readonly id: string;
  readonly role: Role;
  readonly onboardingComplete: boolean;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly occupation: string | null;
  readonly bio: string | null;
  /** Of the profile picture. */
  readonly avatarUrl: string | null;
}

/** `Ada Lovelace`, as much of it as is known, else the fallback. */
export function displayName(profile: Profile | null, fallback: string): string {
  const name = [profile?.firstName, profile?.lastName].filter(Boolean).join(" ").trim();
  return name === "" ? fallback : name;
}
