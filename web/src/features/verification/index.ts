export { FlaggedQueue } from "./components/flagged-queue.tsx";
export { OnboardingIdentityStep } from "./components/onboarding-identity-step.tsx";
export { prepareDocument } from "./model/prepare-document.ts";
export { documentFileError } from "./components/describe-document.ts";
export { acceptedDocuments, mimeOf } from "./model/validate-document.ts";
export { ReviewQueue } from "./components/review-queue.tsx";
