/** What can be reported, in the order of the console's filter. Each kind has its texts in `strings.ts`. */
export const reportKinds = [
  "message",
  "direct_message",
  "post",
  "submission",
  "comment",
  "profile",
] as const;
export type ReportKind = (typeof reportKinds)[number];

/** The decision against what was reported; `keep` is the other. */
export type ReportRemoval = "remove" | "clear";
export type ReportDecision = "keep" | ReportRemoval;
