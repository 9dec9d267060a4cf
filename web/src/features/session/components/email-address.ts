import * as z from "zod/mini";
import { sessionStrings } from "../strings.ts";

/** What is wrong with an e-mail address, or undefined. The server has the last word. */
export function emailIssue(email: string): string | undefined {
  const trimmed = email.trim();
  if (trimmed === "") return sessionStrings.emailMissing;
  // Few mail servers deliver to them; the server refuses them too.
  if (/[^\x20-\x7e]/.test(trimmed.split("@")[0] ?? "")) return sessionStrings.emailNotPlain;
  return /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(trimmed) || /^[^\s@]+@localhost$/.test(trimmed)
    ? undefined
    : sessionStrings.emailInvalid;
}

/** A form's field for an e-mail address. */
export const emailField = z.string().check((context) => {
  const message = emailIssue(context.value);
  if (message === undefined) return;
  context.issues.push({ code: "custom", input: context.value, message });
});
