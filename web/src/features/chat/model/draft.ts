import { countCharacters, countingNote } from "@/domain/character-count.ts";
import { formatCount } from "@/lib/format-count.ts";

/** Longest message the database accepts, in characters. */
export const maxMessageLength = 4000;
/** The counter is shown from this length on. */
const counterFromLength = 3500;

// Characters without a visible glyph. A message of only these would look empty.
const invisible = /[\s\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

export interface DraftCheck {
  /** The trimmed text to send. */
  readonly content: string;
  /** In characters, as the database counts them. */
  readonly length: number;
  readonly empty: boolean;
  /** Such as `3,900 / 4,000`; null for shorter texts. */
  readonly counter: string | null;
  /** How it counts, beside the counter; empty where people count the same. */
  readonly countingNote: string;
  /** Characters over the limit; 0 for texts that can be sent. */
  readonly over: number;
}

/** Checks the text of a message that is being written. */
export function checkDraft(text: string): DraftCheck {
  // PostgreSQL cannot store the null character.
  const content = text.replaceAll("\0", "").trim();
  const length = countCharacters(content);
  const empty = content.replace(invisible, "") === "";
  return {
    content,
    length,
    empty,
    counter:
      length >= counterFromLength
        ? `${formatCount(length)} / ${formatCount(maxMessageLength)}`
        : null,
    countingNote: length >= counterFromLength ? countingNote(content) : "",
    over: Math.max(0, length - maxMessageLength),
  };
}

/** Puts a rejected message back into the field, before any text typed since. */
export function restoreText(rejected: string, typed: string): string {
  if (rejected === "") return typed;
  return typed.trim() === "" ? rejected : `${rejected}\n${typed}`;
}
