import { messageOf, toAppError } from "@/lib/errors.ts";

/**
 * Why the authentication server refused something, in its own words; the fallback when it gave no reason. Its refusals
 * are written for members, but not its failures, nor what a browser says when no answer came.
 */
export function authMessageOf(error: unknown, fallback: string): string {
  const { message, status } = toAppError(error);
  const isRefusal = status >= 400 && status < 500;
  return isRefusal && message !== "" && message !== "{}" ? message : messageOf(error, fallback);
}
