import * as z from "zod/mini";
import { toRole, type Role } from "@/domain/roles.ts";

/** What a name says while it is not known, or was never given. */
export const namelessMember = "A member";

/** A submission as the profile lists it. */
export interface ListedSubmission {
  readonly id: string;
  /** Such as `progress_report`. */
  readonly type: string;
  readonly title: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** What another member sees of a member. */
export interface MemberProfile {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Empty when none was given. */
  readonly occupation: string;
  /** Empty when none was given. */
  readonly bio: string;
  readonly avatarUrl: string | null;
  readonly level: number;
  readonly topics: readonly string[];
  /** Epoch milliseconds of the day. */
  readonly joinedOn: number;
  /** Null when the member does not show them. */
  readonly submissions: {
    readonly count: number;
    readonly newest: readonly ListedSubmission[];
  } | null;
}

/** A member the reader has blocked: nothing but who it is. */
export interface BlockedProfile {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

export type SeenMember =
  | { readonly kind: "shown"; readonly profile: MemberProfile }
  | { readonly kind: "blocked"; readonly profile: BlockedProfile }
  | { readonly kind: "absent" };

const text = z.nullish(z.string());
const who = { id: z.string(), name: z.string(), role: z.string() };
const answerSchema = z.nullable(
  z.discriminatedUnion("is_blocked", [
    z.object({ ...who, is_blocked: z.literal(true) }),
    z.object({
      ...who,
      is_blocked: z.literal(false),
      occupation: text,
      bio: text,
      avatar_url: text,
      level: z.number(),
      topics: z.array(z.string()),
      joined_on: z.string(),
      submissions: z.nullable(
        z.object({
          count: z.number(),
          newest: z.array(
            z.object({
              id: z.string(),
              type: z.string(),
              title: z.string(),
              created_at: z.string(),
            }),
          ),
        }),
      ),
    }),
  ]),
);

/** Reads the answer of `member_profile`. Throws on an unexpected shape. */
export function toSeenMember(answer: unknown): SeenMember {
  const found = answerSchema.parse(answer);
  if (found === null) return { kind: "absent" };
  const { id, is_blocked: blocked } = found;
  const name = found.name || namelessMember;
  const role = toRole(found.role);
  if (blocked) return { kind: "blocked", profile: { id, name, role } };
  return {
    kind: "shown",
    profile: {
      id,
      name,
      role,
      occupation: found.occupation ?? "",
      bio: found.bio ?? "",
      avatarUrl: found.avatar_url ?? null,
      level: found.level,
      topics: found.topics,
      /* Noon, so that it is the same day wherever it is shown. */
      joinedOn: Date.parse(`${found.joined_on}T12:00:00`),
      submissions: found.submissions && {
        count: found.submissions.count,
        newest: found.submissions.newest.map((each) => ({
          id: each.id,
          type: each.type,
          title: each.title,
          createdAt: Date.parse(each.created_at),
        })),
      },
    },
  };
}

/** `progress_report` → `Progress report`. */
export function submissionTypeName(type: string): string {
  const words = type.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
