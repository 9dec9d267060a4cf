import { lazy } from "react";

/* Fetched when it is shown; few people see it twice. */
export const OnboardingPage = lazy(async () => ({
  default: (await import("./components/onboarding-page.tsx")).OnboardingPage,
}));
