import * as z from "zod/mini";
import { knownItems } from "./known-items.ts";
import { categories } from "./categories.ts";
import { requirementKinds, type LevelRequirements, type Requirement } from "./level-progress.ts";
import type { LevelNumber } from "./levels.ts";

const rows = knownItems(
  z.object({
    level: z.literal([1, 2, 3, 4]),
    kind: z.enum(requirementKinds),
    category: z.nullable(z.enum(categories)),
    needed: z.number().check(z.positive()),
  }),
);

/** Groups the rows of `level_requirements` by level. Throws a zod error for rows of another shape. */
export function toLevelRequirements(value: unknown): LevelRequirements {
  const grouped: Record<LevelNumber, Requirement[]> = { 1: [], 2: [], 3: [], 4: [] };
  for (const { level, kind, category, needed } of rows.parse(value)) {
    grouped[level].push({ kind, needed, ...(category === null ? {} : { category }) });
  }
  for (const each of Object.values(grouped)) {
    each.sort((a, b) => requirementKinds.indexOf(a.kind) - requirementKinds.indexOf(b.kind));
  }
  return grouped;
}
