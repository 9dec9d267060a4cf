import { lazy, Suspense } from "react";
import { useBackend } from "@/lib/backend.tsx";

const ProviderChoice = lazy(() => import("./provider-buttons.tsx"));

/** Signing in with an account elsewhere, where that is on. Its code is not loaded where it is off. */
export function OptionalProviderChoice() {
  const { config } = useBackend();
  if (config.signInProviders.length === 0) return null;
  return (
    <Suspense>
      <ProviderChoice />
    </Suspense>
  );
}
