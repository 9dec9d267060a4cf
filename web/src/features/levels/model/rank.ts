/** Where a member stands among all by engagements. */
export interface EngagementRank {
  readonly engagements: number;
  /** Share of all members, this one included, with fewer engagements, 0 to 100, cut to two places. */
  readonly percentile: number;
  readonly members: number;
  readonly label: string;
}
