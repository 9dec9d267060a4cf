/** A member's figures. */
export interface Figures {
  readonly likesReceived: number;
  readonly lessonsCompleted: number;
  readonly affiliateLinks: number;
  readonly profitsPence: number;
  /** ISO time; null when it is not known. */
  readonly memberSince: string | null;
}

/** Figures of the whole community, for administrators. */
export interface AdminFigures {
  readonly accounts: number;
  readonly onboardedMembers: number;
  readonly payingStudents: number;
  readonly payingMentors: number;
  readonly pastDue: number;
  readonly cancelling: number;
  readonly monthlyRevenuePence: number | null;
  readonly pendingVerifications: number;
  readonly flaggedAccounts: number;
  readonly signupsThisWeek: number;
}
