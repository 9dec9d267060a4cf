import * as z from "zod/mini";
import { countCharacters, countingNote } from "@/domain/character-count.ts";
import { pluralise } from "./format-count.ts";

/** What to say of a text over its limit, such as `That is 3 characters too long.`; null within it. */
export function tooLongMessage(text: string, limit: number): string | null {
  const over = countCharacters(text) - limit;
  if (over <= 0) return null;
  return `That is ${pluralise(over, "character")} too long. ${countingNote(text)}`.trim();
}

/** A text of a form, trimmed, within the limit the database sets. Limits are in characters. */
export const requiredText = (limit: number, whenEmpty: string) =>
  z.string().check(
    z.trim(),
    z.minLength(1, whenEmpty),
    z.superRefine((text, context) => {
      const message = tooLongMessage(text, limit);
      if (message !== null) context.addIssue({ code: "custom", message });
    }),
  );
