import { formatCount } from "@/lib/format-count.ts";

/** The most characters a message may have, counted as the database counts them. */
export const maximumLength = 4000;
/** From here on the counter is shown. */
const countFrom = 3500;

/* Signs that take no room and print nothing; a message of only these would look empty. */
const invisible = /[\s\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

export interface DraftCheck {
  /** What would be sent. */
  readonly content: string;
  /** Unicode characters, not the browser's units: an emoji is not counted twice. */
  readonly length: number;
  readonly empty: boolean;
  /** `3,900 / 4,000` once it matters, else null. */
  readonly counter: string | null;
  /** Why it may not be sent, null when it may or when it is merely empty. */
  readonly fault: string | null;
}

/** Looks at what was typed. */
export function checkDraft(text: string): DraftCheck {
  /* The database cannot hold this one sign, and nobody types it. */
  const content = text.replaceAll("\0", "").trim();
  const length = lengthOf(content);
  const empty = content.replace(invisible, "") === "";
  return {
    content,
    length,
    empty,
    counter: length >= countFrom ? `${formatCount(length)} / ${formatCount(maximumLength)}` : null,
    fault:
      length > maximumLength
        ? `This is ${formatCount(length - maximumLength)} characters too long. A message holds up to ${formatCount(maximumLength)}.`
        : null,
  };
}

/* Each pair of units beyond the first 65,536 signs stands for one. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Brings refused words back without losing what was typed since. */
export function restoreText(refused: string, typed: string): string {
  return typed.trim() === "" ? refused : `${refused}\n${typed}`;
}
