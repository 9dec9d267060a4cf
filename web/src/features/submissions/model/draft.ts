import * as z from "zod/mini";
import {
  readStoredDraft,
  removeStoredDraft,
  storeDraft,
  type DraftStorage,
} from "@/lib/draft-storage.ts";
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

/** The part of a submission that its author can change later. */
export interface SubmissionEdit {
  readonly title: string;
  readonly content: string;
}

/** True while a field is missing that a submission needs. */
export function isIncomplete(draft: Draft): boolean {
  return draft.type === null || draft.title.trim() === "" || draft.content.trim() === "";
}

const storageKeyOf = (draftKey: string): string => `submission-draft-${draftKey}`;
const storedDraft = z.object({ type: z.unknown(), title: z.string(), content: z.string() });

/** Reads the unsent draft of this tab; empty when there is none. The key is the account's id, for the outcome of a pact with the pact's. */
export function readSubmissionDraft(storage: DraftStorage, draftKey: string): Draft {
  const parsed = storedDraft.safeParse(readStoredDraft(storage, storageKeyOf(draftKey)));
  if (!parsed.success) return emptyDraft;
  const type = toSubmissionType(parsed.data.type);
  const { title, content } = parsed.data;
  return { type: pickableTypes.find((each) => each === type) ?? null, title, content };
}

export function writeSubmissionDraft(storage: DraftStorage, draftKey: string, draft: Draft): void {
  storeDraft(storage, storageKeyOf(draftKey), draft);
}

export function clearSubmissionDraft(storage: DraftStorage, draftKey: string): void {
  removeStoredDraft(storage, storageKeyOf(draftKey));
}

/** Where the unsaved change of a submission is kept. */
const editKeyOf = (userId: string, id: string): string => `submission-edit-${userId}-${id}`;
const storedEdit = z.object({ title: z.string(), content: z.string() });

/** Reads the unsaved change of a submission in this tab; null when there is none. */
export function readEditDraft(
  storage: DraftStorage,
  userId: string,
  id: string,
): SubmissionEdit | null {
  const parsed = storedEdit.safeParse(readStoredDraft(storage, editKeyOf(userId, id)));
  return parsed.success ? parsed.data : null;
}

/** Keeps the unsaved change of a submission; null forgets it. */
export function keepEditDraft(
  storage: DraftStorage,
  userId: string,
  id: string,
  edit: SubmissionEdit | null,
): void {
  if (edit === null) removeStoredDraft(storage, editKeyOf(userId, id));
  else storeDraft(storage, editKeyOf(userId, id), edit);
}
