/** What all members who rated a text think of it. */
export interface AverageRating {
  /** 1 to 5 with one decimal; null without ratings. */
  readonly average: number | null;
  readonly count: number;
}

/** The average of so many ratings with this sum of stars. */
export function averageRating(count: number, sum: number): AverageRating {
  return { average: count === 0 ? null : Math.round((sum / count) * 10) / 10, count };
}

/** One reader's stars say nothing of a text: an average is shown from so many ratings on. */
export const minRatingsShown = 3;

export function isFairRating({ average, count }: AverageRating): boolean {
  return average !== null && count >= minRatingsShown;
}

/** The longest sentence that goes with a rating. */
export const maxRatingSentence = 280;
