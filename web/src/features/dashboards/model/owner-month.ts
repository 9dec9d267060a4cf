/** What an owner asks of a month, beside the decisions that wait. */
export interface OwnerMonth {
  /** Its first day, `YYYY-MM-DD`; null when nothing is known of any month. */
  readonly month: string | null;
  /** Received less refunds and fees, so far. */
  readonly netPence: number;
  /** The same of the whole month before. */
  readonly netBeforePence: number;
  /** The newest accounts first. */
  readonly newest: readonly {
    readonly id: string;
    /** The address where there is no name. */
    readonly name: string;
    readonly membership: string;
    /** Epoch milliseconds. */
    readonly joinedAt: number;
  }[];
}
