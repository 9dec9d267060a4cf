/** What the run of all troubles saw. */
export interface TroublesSeen {
  /** Troubles that were brought over the product. */
  tried: number;
  /** Those of them that metric, log and alerts told as docs/subsystems/metrics.md says, without a loss. */
  asDocumented: number;
  /** The longest time until figures and log said one. */
  slowestMs: number;
  /** What is not as that page says. */
  problems: string[];
}

/** The figures in one line, and what is not as it should be. A run in which nothing was tried shows nothing. */
export function troublesOutcome({ tried, asDocumented, slowestMs, problems }: TroublesSeen): {
  figures: string;
  problems: string[];
} {
  const slowest = `the slowest told after ${Math.round(slowestMs / 100) / 10} s`;
  return {
    figures: `${tried} troubles tried, ${asDocumented} as documented; ${slowest}`,
    problems: [...(tried === 0 ? ["no trouble was tried"] : []), ...problems],
  };
}
