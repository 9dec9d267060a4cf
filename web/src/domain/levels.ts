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
    summary: "Meet people who share your goals, and keep each other accountable.",
  },
  {
    number: 2,
    name: "Knowledge",
    accent: "knowledge",
    summary: "Learn what people further along wish they had known.",
  },
  {
    number: 3,
    name: "Business",
    accent: "business",
    summary: "Turn what you know into an offer that people pay for.",
  },
  {
    number: 4,
    name: "Wealth",
    accent: "wealth",
    summary: "Keep what you earn, and put it to work.",
  },
];

export const maximumLevel = 4 satisfies LevelNumber;

/** The level with this number, or undefined outside 1 to 4. */
export function levelByNumber(number: number): Level | undefined {
  return levels.find((level) => level.number === number);
}
