import type { SubmissionType } from "../model/submission-type.ts";
import { submissionTypeStrings, type SubmissionTypeTexts } from "../strings.ts";

/** How a type is shown. */
export interface SubmissionTypeInfo extends SubmissionTypeTexts {
  readonly emoji: string;
  readonly colour: "business" | "info" | "knowledge" | "danger" | "good";
}

export const submissionTypeInfo: Readonly<Record<SubmissionType, SubmissionTypeInfo>> = {
  pact: { ...submissionTypeStrings.pact, emoji: "🤝", colour: "business" },
  progress_report: { ...submissionTypeStrings.progress_report, emoji: "📈", colour: "info" },
  before_after: { ...submissionTypeStrings.before_after, emoji: "🔄", colour: "knowledge" },
  failure: { ...submissionTypeStrings.failure, emoji: "🌧️", colour: "danger" },
  success: { ...submissionTypeStrings.success, emoji: "🏆", colour: "good" },
};
