import { messageOf, toAppError } from "@/lib/errors.ts";
import type { Refusal } from "@/lib/refusal.ts";

/**
 * Why the authentication server refused something, in its own words; the code when it gave no reason. Its refusals
 * are written for members, but not its failures, nor what a browser says when no answer came.
 */
export function authRefusal<Code extends string>(error: unknown, code: Code): Refusal<Code> {
  const { message, status } = toAppError(error);
  const isRefusal = status >= 400 && status < 500;
  const said = isRefusal && message !== "" && message !== "{}" ? message : messageOf(error, "");
  return said === "" ? { code } : { message: said };
}
