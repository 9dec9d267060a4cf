import { sessionMessages } from "../messages.ts";

/** What is wrong with an e-mail address, or undefined. The server has the last word. */
export function emailFault(email: string): string | undefined {
  const trimmed = email.trim();
  if (trimmed === "") return sessionMessages.emailMissing;
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(trimmed) || /^[^\s@]+@localhost$/.test(trimmed)
    ? undefined
    : sessionMessages.emailInvalid;
}
