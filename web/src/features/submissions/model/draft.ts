import * as z from "zod/mini";
import { tooLongMessage } from "@/lib/character-count.ts";
import {
  readStoredDraft,
  removeStoredDraft,
  storeDraft,
  type DraftStorage,
} from "@/lib/draft-storage.ts";
import { submissionStrings } from "../strings.ts";
import { pickableTypes, toSubmissionType, type PickableType } from "./submission-type.ts";

/** A submission being written. Its picture is a file, which is not stored. */
export interface Draft {
  readonly type: PickableType | null;
  readonly title: string;
  readonly content: string;
}

export const emptyDraft: Draft = { type: null, title: "", content: "" };

/** Characters; the database refuses more. */
export const maxTitleLength = 150;
export const maxContentLength = 10_000;

/** A text of the draft, trimmed, within the limit the database sets. Limits are in characters. */
const requiredText = (limit: number, whenEmpty: string) =>
  z.string().check(
    z.trim(),
    z.minLength(1, whenEmpty),
    z.superRefine((text, context) => {
      const message = tooLongMessage(text, limit);
      if (message !== null) context.addIssue({ code: "custom", message });
    }),
  );

/** What a draft must be to be shared. */
export const draftSchema = z.object({
  type: z.pipe(z.nullable(z.enum(pickableTypes)), z.enum(pickableTypes, "Choose a type.")),
  title: requiredText(maxTitleLength, "Add a title."),
  content: requiredText(maxContentLength, "Write what happened."),
});

/** A draft that can be shared. */
export type CompleteDraft = z.infer<typeof draftSchema>;

/** The text above the button when a field is missing, else null. */
export function summaryOf(draft: Draft): string | null {
  const missing = draft.type === null || draft.title.trim() === "" || draft.content.trim() === "";
  return missing ? submissionStrings.missingFields : null;
}

const storageKeyOf = (userId: string): string => `submission-draft-${userId}`;
const storedDraft = z.object({ type: z.unknown(), title: z.string(), content: z.string() });

/** Reads the unsent draft of this tab; empty when there is none. */
export function readSubmissionDraft(storage: DraftStorage, userId: string): Draft {
  const parsed = storedDraft.safeParse(readStoredDraft(storage, storageKeyOf(userId)));
  if (!parsed.success) return emptyDraft;
  const type = toSubmissionType(parsed.data.type);
  const { title, content } = parsed.data;
  return { type: pickableTypes.find((each) => each === type) ?? null, title, content };
}

export function writeSubmissionDraft(storage: DraftStorage, userId: string, draft: Draft): void {
  storeDraft(storage, storageKeyOf(userId), draft);
}

export function clearSubmissionDraft(storage: DraftStorage, userId: string): void {
  removeStoredDraft(storage, storageKeyOf(userId));
}
