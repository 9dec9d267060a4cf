/** The kinds of submission, in the order in which they are offered. */
export const submissionTypes = [
  "pact",
  "progress_report",
  "before_after",
  "failure",
  "success",
] as const;
export type SubmissionType = (typeof submissionTypes)[number];

/** A pact is made on other ways than the form, so it cannot be picked there. */
export const pickableTypes = submissionTypes.filter((type) => type !== "pact");
export type PickableType = (typeof pickableTypes)[number];

/** Reads a type from an address or the database; null for anything else. */
export function toSubmissionType(value: unknown): SubmissionType | null {
  return submissionTypes.find((type) => type === value) ?? null;
}
