import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchOnboardingProgress, type SavedProgress } from "./api/fetch-onboarding-progress.ts";

/** What is known when onboarding is opened. */
export interface OnboardingStart {
  readonly saved: SavedProgress | null;
  /** False when the server could not be read, so that nothing saved there may be overwritten. */
  readonly known: boolean;
}

/** The progress saved on the server. Never fails: without an answer onboarding starts unknown. */
export function useOnboardingStart() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: ["onboarding", userId],
    queryFn: async (): Promise<OnboardingStart> => {
      try {
        return { saved: await fetchOnboardingProgress(client, userId), known: true };
      } catch (error) {
        console.error("Onboarding progress could not be read", error);
        return { saved: null, known: false };
      }
    },
    enabled: userId !== "",
    networkMode: "always",
    staleTime: Infinity,
    gcTime: 0,
  });
}
