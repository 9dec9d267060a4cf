import { useCallback, useRef, useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { saveProfile } from "./api/save-profile.ts";
import { saveProgress } from "./api/save-progress.ts";
import { saveResponses } from "./api/save-responses.ts";
import { fetchOnboardingProgress } from "./api/fetch-onboarding-progress.ts";
import { mergeDraft, storedAnswers } from "./model/draft.ts";
import type { OnboardingStart } from "./queries.ts";
import { noAnswers, type Answers } from "./model/questions.ts";

export interface Onboarding {
  readonly answers: Answers;
  /** Stores the typed answers in this tab. */
  readonly saveDraft: (answers: Answers) => void;
  /** Saves in the background that a step was left for the next; a failure is only logged. */
  readonly advance: (from: number, to: number, answers: Answers) => void;
  readonly clearDraft: () => void;
}

/** The answers of one member, kept while typed and saved at every advance. */
export function useOnboarding(userId: string, start: OnboardingStart): Onboarding {
  const { client } = useBackend();
  const [answers, setAnswers] = useState(() =>
    mergeDraft(start.saved?.answers ?? noAnswers, storedAnswers.read(userId)),
  );
  const latest = useRef(answers);
  const known = useRef(start.known);
  // One after the other, so that an older save never lands on a newer one.
  const queue = useRef(Promise.resolve());

  const saveDraft = useCallback(
    (next: Answers) => {
      latest.current = next;
      setAnswers(next);
      storedAnswers.keep({ ...next }, userId);
    },
    [userId],
  );

  const advance = useCallback(
    (from: number, to: number, next: Answers) => {
      saveDraft(next);
      queue.current = queue.current.then(async () => {
        try {
          if (!known.current) {
            // What was saved before could not be read at the start; do not write over it.
            const saved = await fetchOnboardingProgress(client, userId);
            known.current = true;
            if (saved) saveDraft(mergeDraft(saved.answers, latest.current));
          }
          const saving = latest.current;
          await saveProgress(client, userId, to, saving);
          if (from === 6 || from === 7) await saveResponses(client, userId, from, saving);
          if (from === 7) await saveProfile(client, userId, saving);
          if (latest.current === saving) storedAnswers.keep(null, userId);
        } catch (error) {
          console.error("Onboarding progress was not saved", error);
        }
      });
    },
    [client, saveDraft, userId],
  );

  const clearOwnDraft = useCallback(() => storedAnswers.keep(null, userId), [userId]);
  return { answers, saveDraft, advance, clearDraft: clearOwnDraft };
}
