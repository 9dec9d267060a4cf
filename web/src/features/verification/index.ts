export { FlaggedQueue } from "./components/flagged-queue.tsx";
export { OnboardingIdentityStep } from "./components/onboarding-identity-step.tsx";
export { prepareDocument } from "./model/prepare-document.ts";
export { acceptedDocuments, documentFileError, mimeOf } from "./model/validate-document.ts";
export { ReviewQueue } from "./components/review-queue.tsx";
