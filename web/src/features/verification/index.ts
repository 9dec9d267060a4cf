export { FlaggedQueue } from "./components/flagged-queue.tsx";
export { OnboardingIdentityStep } from "./components/onboarding-identity-step.tsx";
export { ReviewQueue } from "./components/review-queue.tsx";
