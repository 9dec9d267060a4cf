import { OnboardingPage } from "@/features/onboarding/index.ts";
import { OnboardingIdentityStep } from "@/features/verification/index.ts";

export default function OnboardingRoute() {
  return <OnboardingPage IdentityStep={OnboardingIdentityStep} />;
}
