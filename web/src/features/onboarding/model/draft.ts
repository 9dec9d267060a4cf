import * as z from "zod/mini";
import { storedDraft } from "@/lib/stored-draft.ts";
import { noAnswers, toAnswers, type Answers } from "./questions.ts";

/** The answers that were not saved; `toAnswers` takes what is an answer out of them. */
export const storedAnswers = storedDraft("onboarding-draft", z.record(z.string(), z.unknown()));

/** The draft is newer than what was saved, but an empty field of it takes nothing away. */
export function mergeDraft(
  saved: Answers,
  draft: Readonly<Record<string, unknown>> | null,
): Answers {
  if (draft === null) return saved;
  const merged = { ...noAnswers, ...saved };
  for (const [key, value] of Object.entries(toAnswers(draft))) {
    if (value !== "") merged[key as keyof Answers] = value;
  }
  return merged;
}
