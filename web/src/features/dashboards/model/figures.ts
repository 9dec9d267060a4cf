/** A member's figures. */
export interface Figures {
  readonly likesReceived: number;
  readonly lessonsCompleted: number;
  readonly affiliateLinks: number;
  readonly profitsPence: number;
  /** ISO time; null when it is not known. */
  readonly memberSince: string | null;
}
