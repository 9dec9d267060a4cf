import * as z from "zod/mini";
import { tooLongMessage } from "@/lib/character-count.ts";
import {
  readStoredDraft,
  removeStoredDraft,
  storeDraft,
  type DraftStorage,
} from "@/lib/draft-storage.ts";
import { submissionStrings } from "../strings.ts";
import { pickableTypes, toSubmissionType, type SubmissionType } from "./submission-type.ts";

/** A submission being written. Its picture is a file, which is not stored. */
export interface Draft {
  readonly type: SubmissionType | null;
  readonly title: string;
  readonly content: string;
}

export const emptyDraft: Draft = { type: null, title: "", content: "" };

/** Characters; the database refuses more. */
export const maxTitleLength = 150;
export const maxContentLength = 10_000;

export interface DraftErrors {
  readonly type?: string;
  readonly title?: string;
  readonly content?: string;
}

/** Returns an error for each invalid field; empty when the draft can be sent. */
export function validateDraft({ type, title, content }: Draft): DraftErrors {
  return {
    ...(type === null ? { type: "Choose a type." } : {}),
    ...lengthError("title", title, maxTitleLength, "Add a title."),
    ...lengthError("content", content, maxContentLength, "Write what happened."),
  };
}

function lengthError(
  field: "title" | "content",
  text: string,
  limit: number,
  whenEmpty: string,
): Partial<Record<"title" | "content", string>> {
  const content = text.trim();
  const problem = content === "" ? whenEmpty : tooLongMessage(content, limit);
  return problem === null ? {} : { [field]: problem };
}

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
