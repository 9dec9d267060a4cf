import type { z } from "zod";

/** The boot cannot continue; `message` is for the operator, one line per issue. */
export class BootError extends Error {
  override readonly name: string = "BootError";
}

/** A boot error that a later retry may fix without any change, such as a database that is still starting. */
export class RetryableBootError extends BootError {
  override readonly name = "RetryableBootError";
}

/** One line per issue, as `NAME: message`. Values are omitted, because they may be secrets. */
export function formatIssues(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${issue.path.join(".") || "environment"}: ${issue.message}`);
}
