import { useQueryClient } from "@tanstack/react-query";
import { useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import type { Role } from "@/domain/roles.ts";
import { completeOnboarding } from "./api/complete-onboarding.ts";
import { saveProfile } from "./api/save-profile.ts";
import { saveResponses } from "./api/save-responses.ts";
import type { Answers } from "./model/questions.ts";

/**
 * Finishes onboarding and reads again what it has changed. Resolves to the member's role; rejects with the
 * database's error. `onSaved` is called between the two.
 */
export function useCompleteOnboarding() {
  const { client } = useBackend();
  const { refreshProfile, role } = useSession();
  const queries = useQueryClient();
  const userId = useUserId();
  return async (answers: Answers, onSaved: () => void): Promise<Role> => {
    await completeOnboarding(client, userId, answers);
    onSaved();
    const profile = await refreshProfile();
    await queries.invalidateQueries({
      predicate: (query) => query.queryKey.includes(userId) && query.queryKey[0] !== "onboarding",
    });
    return profile?.role ?? role;
  };
}

/** Saves the answers of a page after onboarding; rejects with the database's error. Saving again repairs a half-saved page. */
export function useSaveAnswers(page: 6 | 7) {
  const { client } = useBackend();
  const { refreshProfile } = useSession();
  const userId = useUserId();
  return async (answers: Answers): Promise<void> => {
    if (page === 7) await saveProfile(client, userId, answers);
    await saveResponses(client, userId, page, answers);
    if (page === 7) await refreshProfile();
  };
}
