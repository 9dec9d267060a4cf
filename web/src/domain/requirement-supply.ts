import * as z from "zod/mini";
import { knownItems } from "./known-items.ts";
import { categories, type Category } from "./categories.ts";
import { requirementKinds, type RequirementKind } from "./level-progress.ts";
import { sections } from "./library-paths.ts";

/** What a level asks for, and how much of it there is. */
export interface RequirementSupply {
  readonly level: number;
  readonly kind: RequirementKind;
  readonly category: Category | null;
  readonly needed: number;
  /** Rooms, articles or courses there are for it; null for what members make themselves. */
  readonly available: number | null;
}

const supplyRows = knownItems(
  z.object({
    level: z.number(),
    kind: z.enum(requirementKinds),
    category: z.nullable(z.enum(categories)),
    needed: z.number(),
    available: z.nullable(z.number()),
  }),
);

/** Reads the rows of `admin_level_supply`. Throws a zod error for rows of another shape. */
export function toRequirementSupply(value: unknown): readonly RequirementSupply[] {
  return supplyRows.parse(value);
}

const nouns: Readonly<Record<RequirementKind, readonly [one: string, many: string]>> = {
  rooms: ["chat room", "chat rooms"],
  submissions: ["submission", "submissions"],
  engagements: ["engagement", "engagements"],
  articles: ["article", "articles"],
  courses: ["course", "courses"],
};

/** `25 Knowledge articles`, `1 chat room`. */
export function describeRequirement(
  { kind, category }: Pick<RequirementSupply, "kind" | "category">,
  count: number,
): string {
  const [one, many] = nouns[kind];
  const shelf = category === null ? "" : `${sections[category].name} `;
  return `${count} ${shelf}${count === 1 ? one : many}`;
}

/** What is about to be hidden from members. */
export interface Removal {
  readonly kind: "rooms" | "articles" | "courses";
  /** Of articles and courses. */
  readonly category?: Category;
  /** Of a room: the level that opens it. */
  readonly minLevel?: number;
  /** Of a room that is moved: the level that will open it. It still counts from there on. */
  readonly movedToLevel?: number;
  readonly count: number;
}

/** One sentence for each level that would then ask for more than there is. */
export function shortfallsAfter(
  supply: readonly RequirementSupply[],
  removals: readonly Removal[],
): readonly string[] {
  return supply.flatMap((row) => {
    const removed = removals
      .filter(
        ({ kind, category = null, minLevel = 0, movedToLevel = Infinity }) =>
          kind === row.kind &&
          category === row.category &&
          minLevel <= row.level &&
          row.level < movedToLevel,
      )
      .reduce((sum, { count }) => sum + count, 0);
    if (row.available === null || removed === 0) return [];
    const left = Math.max(0, row.available - removed);
    if (left >= row.needed) return [];
    return [
      `Level ${row.level} asks for ${describeRequirement(row, row.needed)}; ${left} would be left. Members who haven't done enough yet couldn't complete it.`,
    ];
  });
}
