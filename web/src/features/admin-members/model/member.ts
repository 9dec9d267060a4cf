import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";
import { toRole, type Role } from "@/domain/roles.ts";

export const membershipStatuses = [
  "paying",
  "complimentary",
  "past_due",
  "paused",
  "lapsed",
  "never_paid",
] as const;
export type MembershipStatus = (typeof membershipStatuses)[number];

/** A line of the list of members. */
export interface MemberRow {
  readonly id: string;
  readonly email: string;
  /** Empty without a profile. */
  readonly name: string;
  readonly role: Role;
  /** The level reached, 0 before onboarding. */
  readonly level: number;
  readonly membership: MembershipStatus;
  readonly isSuspended: boolean;
  /** Epoch milliseconds. */
  readonly joinedAt: number;
}

const row = z.object({
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.string(),
  level: z.number(),
  membership: z.enum(membershipStatuses),
  is_suspended: z.boolean(),
  joined_at: z.string(),
});

/** Reads rows as the database gives them. Throws a zod error for another shape. */
export function toMemberRows(value: unknown): readonly MemberRow[] {
  return knownItems(row)
    .parse(value)
    .map((member) => ({
      id: member.user_id,
      email: member.email,
      name: member.name,
      role: toRole(member.role),
      level: member.level,
      membership: member.membership,
      isSuspended: member.is_suspended,
      joinedAt: Date.parse(member.joined_at),
    }));
}
