import { lazy } from "react";

/* Fetched when they are shown. */
export const VerificationPage = lazy(async () => ({
  default: (await import("./components/verification-page.tsx")).VerificationPage,
}));
export const OnboardingIdentityStep = lazy(async () => ({
  default: (await import("./components/onboarding-identity-step.tsx")).OnboardingIdentityStep,
}));
export const ReviewQueue = lazy(async () => ({
  default: (await import("./components/review-queue.tsx")).ReviewQueue,
}));
