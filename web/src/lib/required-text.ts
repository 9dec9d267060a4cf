import * as z from "zod/mini";
import { tooLongMessage } from "./character-count.ts";

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
