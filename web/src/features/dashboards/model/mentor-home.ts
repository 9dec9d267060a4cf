/** Where a text stands that its mentor has to go on with: begun, or sent back by a reviewer. */
export const draftStates = ["draft", "returned"] as const;

/** What a mentor's Home begins with, besides the questions that wait. */
export interface MentorHome {
  /** The last changed first. */
  readonly drafts: readonly {
    readonly id: string;
    /** May be empty. */
    readonly title: string;
    readonly status: (typeof draftStates)[number];
    /** ISO time. */
    readonly updated_at: string;
  }[];
  /** Members who read one of their texts in the last seven days. */
  readonly readers: number;
  /** The lesson most members stop at; null when none stands out. */
  readonly stop: {
    readonly course_id: string;
    readonly title: string;
    readonly module: number;
  } | null;
}
