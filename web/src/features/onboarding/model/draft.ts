import {
  readStoredDraft,
  removeStoredDraft,
  storeDraft,
  type DraftStorage,
} from "@/lib/draft-storage.ts";
import { noAnswers, toAnswers, type Answers } from "./questions.ts";

const keyOf = (userId: string): string => `onboarding-draft-${userId}`;

/** Reads the unsaved answers of this tab; null when there are none. */
export function readDraft(storage: DraftStorage, userId: string): Answers | null {
  const stored = readStoredDraft(storage, keyOf(userId));
  return stored === null ? null : toAnswers(stored);
}

export function writeDraft(storage: DraftStorage, userId: string, answers: Answers): void {
  storeDraft(storage, keyOf(userId), answers);
}

export function clearDraft(storage: DraftStorage, userId: string): void {
  removeStoredDraft(storage, keyOf(userId));
}

/** The draft is newer than what was saved, but an empty field of it takes nothing away. */
export function mergeDraft(saved: Answers, draft: Answers | null): Answers {
  if (draft === null) return saved;
  const merged = { ...noAnswers, ...saved };
  for (const [key, value] of Object.entries(draft)) {
    if (value !== "") merged[key as keyof Answers] = value;
  }
  return merged;
}
