import { submissionTypeStrings } from "../strings.ts";

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

export interface SubmissionTypeInfo {
  readonly name: string;
  /** In a sentence such as `No failures yet`. */
  readonly plural: string;
  readonly emoji: string;
  readonly colour: "business" | "info" | "knowledge" | "danger" | "good";
  /** Shown to a member who is choosing a type. */
  readonly prompt: string;
}

export const submissionTypeInfo: Readonly<Record<SubmissionType, SubmissionTypeInfo>> = {
  pact: { ...submissionTypeStrings.pact, emoji: "🤝", colour: "business" },
  progress_report: { ...submissionTypeStrings.progress_report, emoji: "📈", colour: "info" },
  before_after: { ...submissionTypeStrings.before_after, emoji: "🔄", colour: "knowledge" },
  failure: { ...submissionTypeStrings.failure, emoji: "🌧️", colour: "danger" },
  success: { ...submissionTypeStrings.success, emoji: "🏆", colour: "good" },
};

/** Reads a type from an address or the database; null for anything else. */
export function toSubmissionType(value: unknown): SubmissionType | null {
  return submissionTypes.find((type) => type === value) ?? null;
}
