export { OnboardingIdentityStep } from "./components/onboarding-identity-step.tsx";
export { ReviewQueue } from "./components/review-queue.tsx";
