import * as z from "zod/mini";
import { storedDraft } from "@/lib/stored-draft.ts";
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

const submissionDrafts = storedDraft(
  "submission-draft",
  z.object({ type: z.unknown(), title: z.string(), content: z.string() }),
);

/** The submission that was not shared, by its pact's id when it is the outcome of one; empty when there is none. */
export const storedSubmission = {
  read: (userId: string, pactId?: string): Draft => {
    const stored = submissionDrafts.read(userId, pactId);
    if (stored === null) return emptyDraft;
    const { title, content } = stored;
    const type = toSubmissionType(stored.type);
    return { type: pickableTypes.find((each) => each === type) ?? null, title, content };
  },
  keep: submissionDrafts.keep,
};

/** The change of a submission that was not saved, by its id. */
export const storedEdit = storedDraft(
  "submission-edit",
  z.object({ title: z.string(), content: z.string() }),
);
