import { adminSecondFactorDue } from "./error-codes.ts";
import { toAppError } from "./errors.ts";

/** True when an administrator has to show a second factor before the database answers. */
export function isSecondFactorDue(error: unknown): boolean {
  return toAppError(error).code === adminSecondFactorDue;
}

/** For queries of the console: asking again does not help while a second factor is due. */
export function retryAdminQuery(failures: number, error: unknown): boolean {
  return failures < 2 && !isSecondFactorDue(error);
}
