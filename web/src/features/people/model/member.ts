import * as z from "zod/mini";
import { categories, type Category } from "@/domain/categories.ts";
import { toRole, type Role } from "@/domain/roles.ts";
import { earnedSchema, type EarnedAchievement } from "@/features/achievements/index.ts";
import { noonOf } from "@/lib/format-time.ts";
import { knownItems } from "@/domain/known-items.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";

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
  /** Null when the member does not show submissions. */
  readonly keptPacts: { readonly count: number; readonly newest: readonly ListedPact[] } | null;
  /** Null when the member does not show them. */
  readonly achievements: readonly EarnedAchievement[] | null;
  /** Articles and courses of the member that the reader may open or buy, the newest first. */
  readonly texts: { readonly count: number; readonly newest: readonly ListedText[] };
}

/** An article or a course as the profile lists it. */
export interface ListedText {
  readonly id: string;
  readonly kind: "article" | "course";
  readonly title: string;
  readonly category: Category;
  /** Slug. */
  readonly subcategory: string;
  readonly minutes: number;
  /** Of the public page of a course that the reader's level does not open; null for what they may open. */
  readonly saleSlug: string | null;
  /** A course of the mentors' training, which the reader opens as a mentor, whatever their level. */
  readonly isTraining: boolean;
  /** As the database wrote it, to the microsecond: where the next page begins. */
  readonly createdAt: string;
}

/** A pact as the profile lists it. */
export interface ListedPact {
  readonly id: string;
  readonly title: string;
  /** Epoch milliseconds of the day. */
  readonly keptOn: number;
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
const listedTextsSchema = knownItems(
  z.object({
    id: z.string(),
    kind: z.enum(["article", "course"]),
    title: z.string(),
    category: z.enum(categories),
    subcategory: z.string(),
    minutes: z.number(),
    sale_slug: z.nullable(z.string()),
    is_training: z.boolean(),
    created_at: z.string(),
  }),
);
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
      kept_pacts: z.nullable(
        z.object({
          count: z.number(),
          newest: z.array(z.object({ id: z.string(), title: z.string(), kept_on: z.string() })),
        }),
      ),
      achievements: z.nullish(knownItems(earnedSchema)),
      texts: z.object({
        count: z.number(),
        newest: listedTextsSchema,
      }),
    }),
  ]),
);

function toListedText({
  sale_slug: saleSlug,
  is_training: isTraining,
  created_at: createdAt,
  ...text
}: z.infer<typeof listedTextsSchema>[number]): ListedText {
  return { ...text, saleSlug, isTraining, createdAt };
}

/** Reads the answer of `written_texts_page`. Throws on an unexpected shape. */
export function toListedTexts(answer: unknown): readonly ListedText[] {
  return listedTextsSchema.parse(answer).map(toListedText);
}

/** Reads the answer of `member_profile`. Throws on an unexpected shape. */
export function toSeenMember(answer: unknown): SeenMember {
  const found = answerSchema.parse(answer);
  if (found === null) return { kind: "absent" };
  const { id, is_blocked: blocked } = found;
  const name = found.name || unnamedMember;
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
      joinedOn: noonOf(found.joined_on),
      submissions: found.submissions && {
        count: found.submissions.count,
        newest: found.submissions.newest.map((each) => ({
          id: each.id,
          type: each.type,
          title: each.title,
          createdAt: Date.parse(each.created_at),
        })),
      },
      keptPacts: found.kept_pacts && {
        count: found.kept_pacts.count,
        newest: found.kept_pacts.newest.map(({ id: pactId, title, kept_on: keptOn }) => ({
          id: pactId,
          title,
          keptOn: noonOf(keptOn),
        })),
      },
      achievements: found.achievements ?? null,
      texts: {
        count: found.texts.count,
        newest: found.texts.newest.map(toListedText),
      },
    },
  };
}
