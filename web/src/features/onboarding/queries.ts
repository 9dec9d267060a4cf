import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchAnswers } from "./api/fetch-answers.ts";
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

export function savedAnswersKey(userId: string, page: 6 | 7): readonly unknown[] {
  return ["onboarding-answers", userId, page];
}

/** What the member answered on a page, as it is stored. */
export function useSavedAnswers(page: 6 | 7) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: savedAnswersKey(userId, page),
    queryFn: () => fetchAnswers(client, userId, page),
    enabled: userId !== "",
    // Never fetched under the form while it is being edited, and fetched anew when the page is opened again.
    staleTime: Infinity,
    gcTime: 0,
    retry: 2,
  });
}
