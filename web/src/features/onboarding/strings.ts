/** Every text of onboarding that others rely on word for word. */
export const onboardingStrings = {
  stepNotFound: "Step not found",
  termsMissing: "Please agree to the terms and conditions to continue.",
  completeFailed: "Failed to complete onboarding. Please try again.",
  answersNotLoaded: "We couldn't load your answers",
  answersSaved: "Your changes are saved.",
  answersNotSaved: "We couldn't save your changes. Your text is still here. Please try again.",
} as const;

/** Names the questions that still want an answer. */
export function requiredFieldsMessage(questions: readonly string[]): string {
  return `Please complete all required fields: ${questions.join(", ")}`;
}
