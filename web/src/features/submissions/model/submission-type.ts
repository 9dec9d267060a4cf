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
  pact: {
    name: "Pact",
    plural: "pacts",
    emoji: "🤝",
    colour: "business",
    prompt: "What you commit to, and by when.",
  },
  progress_report: {
    name: "Progress report",
    plural: "progress reports",
    emoji: "📈",
    colour: "info",
    prompt: "What you did, how it went and what's next.",
  },
  before_after: {
    name: "Before and after",
    plural: "before and afters",
    emoji: "🔄",
    colour: "knowledge",
    prompt: "Where you started, where you are now and what made the difference.",
  },
  failure: {
    name: "Failure",
    plural: "failures",
    emoji: "🌧️",
    colour: "danger",
    prompt: "What went wrong, and how others can avoid it.",
  },
  success: {
    name: "Success",
    plural: "successes",
    emoji: "🏆",
    colour: "good",
    prompt: "What worked, and what it took.",
  },
};

/** Reads a type from an address or the database; null for anything else. */
export function toSubmissionType(value: unknown): SubmissionType | null {
  return submissionTypes.find((type) => type === value) ?? null;
}
