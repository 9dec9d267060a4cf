import type { LevelRequirements } from "../level-progress.ts";

/** The figures of the specification, which are the defaults of the table `level_requirements`. */
export const specifiedRequirements: LevelRequirements = {
  1: [
    { kind: "rooms", needed: 5 },
    { kind: "submissions", needed: 3 },
    { kind: "engagements", needed: 50 },
  ],
  2: [
    { kind: "articles", needed: 25, category: "general" },
    { kind: "courses", needed: 5, category: "general" },
    { kind: "engagements", needed: 150 },
  ],
  3: [
    { kind: "articles", needed: 25, category: "business" },
    { kind: "courses", needed: 5, category: "business" },
    { kind: "engagements", needed: 350 },
  ],
  4: [
    { kind: "articles", needed: 25, category: "wealth" },
    { kind: "courses", needed: 5, category: "wealth" },
    { kind: "engagements", needed: 550 },
  ],
};

/** The same as rows of the table, in no particular order. */
export const specifiedRequirementRows = Object.entries(specifiedRequirements)
  .flatMap(([level, requirements]) =>
    requirements.map(({ kind, needed, category = null }) => ({
      level: Number(level),
      kind,
      category,
      needed,
    })),
  )
  .toReversed();
