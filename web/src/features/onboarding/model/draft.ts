import { noAnswers, toAnswers, type Answers } from "./questions.ts";

/** Where a draft is kept between two visits of the same tab. */
export type DraftStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const keyOf = (userId: string): string => `onboarding-draft-${userId}`;

/** What was typed in this tab and may not have been saved; null when there is nothing. */
export function readDraft(store: DraftStore, userId: string): Answers | null {
  try {
    const text = store.getItem(keyOf(userId));
    return text === null ? null : toAnswers(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Keeps what is typed. A full or forbidden store is no reason to stop somebody typing. */
export function writeDraft(store: DraftStore, userId: string, answers: Answers): void {
  try {
    store.setItem(keyOf(userId), JSON.stringify(answers));
  } catch (error) {
    console.error("The draft could not be kept in this browser", error);
  }
}

export function clearDraft(store: DraftStore, userId: string): void {
  try {
    store.removeItem(keyOf(userId));
  } catch {
    // A store that cannot be opened holds no draft either.
  }
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
