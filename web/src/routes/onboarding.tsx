import { OnboardingPage } from "@/features/onboarding/public.ts";
import { OnboardingIdentityStep } from "@/features/verification/public.ts";

export default function OnboardingRoute() {
  return <OnboardingPage IdentityStep={OnboardingIdentityStep} />;
}
