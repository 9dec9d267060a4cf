/** A level of the progression, 1 to 4. 0 stands for "not a member yet". */
export type LevelNumber = 1 | 2 | 3 | 4;

export interface Level {
  readonly number: LevelNumber;
  readonly name: string;
  /** Key of the accent colour, as in the design tokens. */
  readonly accent: "community" | "knowledge" | "business" | "wealth";
  readonly summary: string;
}

export const levels: readonly [Level, Level, Level, Level] = [
  {
    number: 1,
    name: "Community",
    accent: "community",
    summary: "Meet people who are going the same way, and be held to your word.",
  },
  {
    number: 2,
    name: "Knowledge",
    accent: "knowledge",
    summary: "Read and study what the people ahead of you wish they had known.",
  },
  {
    number: 3,
    name: "Business",
    accent: "business",
    summary: "Turn what you know into an offer that somebody pays for.",
  },
  {
    number: 4,
    name: "Wealth",
    accent: "wealth",
    summary: "Keep what you earn, and make it work without you.",
  },
];

export const maximumLevel = 4 satisfies LevelNumber;

/** The level with this number, or undefined outside 1 to 4. */
export function levelByNumber(number: number): Level | undefined {
  return levels.find((level) => level.number === number);
}
