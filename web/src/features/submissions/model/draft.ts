import * as z from "zod/mini";
import { submissionStrings } from "../strings.ts";
import { pickableTypes, toSubmissionType, type SubmissionType } from "./submission-type.ts";

/** What is being written. The picture is a file and lives as long as the page. */
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

/** Characters as the database counts them: an emoji is one or a few, never twice as many. */
function lengthOf(text: string): number {
  return Array.from(text.trim()).length;
}

/** What is wrong field by field; empty when it may be sent. */
export function validateDraft({ type, title, content }: Draft): DraftErrors {
  return {
    ...(type === null ? { type: "Choose a type." } : {}),
    ...lengthError("title", title, maxTitleLength, "Give it a title."),
    ...lengthError("content", content, maxContentLength, "Write what happened."),
  };
}

function lengthError(
  field: "title" | "content",
  text: string,
  limit: number,
  whenEmpty: string,
): Partial<Record<"title" | "content", string>> {
  const length = lengthOf(text);
  if (length === 0) return { [field]: whenEmpty };
  if (length <= limit) return {};
  const over = length - limit;
  return { [field]: `That is ${over} ${over === 1 ? "character" : "characters"} too long.` };
}

/** The sentence above the button: the missing fields in the product's own words, else null. */
export function summaryOf(draft: Draft): string | null {
  const missing = draft.type === null || draft.title.trim() === "" || draft.content.trim() === "";
  return missing ? submissionStrings.missingFields : null;
}

/** Where a draft is kept between two visits of the same tab. */
export type DraftStore = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const keyOf = (userId: string): string => `submission-draft-${userId}`;
const kept = z.object({ type: z.unknown(), title: z.string(), content: z.string() });

/** What was written in this tab and not sent. */
export function readSubmissionDraft(store: DraftStore, userId: string): Draft {
  try {
    const parsed = kept.safeParse(JSON.parse(store.getItem(keyOf(userId)) ?? "null"));
    if (!parsed.success) return emptyDraft;
    const type = toSubmissionType(parsed.data.type);
    const { title, content } = parsed.data;
    return { type: pickableTypes.find((each) => each === type) ?? null, title, content };
  } catch {
    return emptyDraft;
  }
}

/** Keeps what is written. A full or forbidden store is no reason to stop somebody writing. */
export function writeSubmissionDraft(store: DraftStore, userId: string, draft: Draft): void {
  try {
    store.setItem(keyOf(userId), JSON.stringify(draft));
  } catch (error) {
    console.error("The draft could not be kept in this browser", error);
  }
}

export function clearSubmissionDraft(store: DraftStore, userId: string): void {
  try {
    store.removeItem(keyOf(userId));
  } catch {
    /* A store that cannot be opened holds no draft either. */
  }
}
