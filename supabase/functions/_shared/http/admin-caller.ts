import type { DatabaseClient } from "../database/database-client.ts";
import { bearerToken, requireMember, type Member } from "./caller.ts";
import { callerClient } from "../database/caller-client.ts";
import type { Deps } from "../deps.ts";
import { FunctionError } from "./responses.ts";

/** An administrator whose session has a second factor. */
export interface SecondFactorAdmin {
  account: Member;
  /** The official client with the administrator's own permissions. */
  client: DatabaseClient;
}

/** Statuses of the database's refusals; every other one is a conflict. */
const statusByCode: Readonly<Record<string, number>> = {
  FF001: 401,
  FF002: 403,
  FF005: 403,
  FF006: 403,
  FF007: 403,
  FF240: 400,
  FF250: 404,
  FF253: 400,
  FF260: 400,
  FF278: 429,
  FF510: 404,
  FF511: 400,
  FF685: 404,
};

/** Turns a refusal of the database into an answer with its code; any other error is thrown as it is. */
export function toFunctionError(error: {
  code?: string;
  message: string;
  details?: string;
}): Error {
  const { code = "" } = error;
  if (!/^FF\d{3}$/.test(code)) return new Error("the database failed", { cause: error });
  return new FunctionError(statusByCode[code] ?? 409, code, error.message);
}

/**
 * The calling administrator. The database decides, with the caller's own token.
 * @throws {FunctionError} 401 unauthorized or second_factor_due, 403 admin_second_factor_due, FF002 or FF005.
 */
export async function requireVerifiedAdmin(
  request: Request,
  service: DatabaseClient,
  deps: Deps,
): Promise<SecondFactorAdmin> {
  const account = await requireMember(request, service, "Please sign in first.");
  const client = callerClient(deps, bearerToken(request) ?? "");
  const { error } = await client.rpc("admin_require_verified");
  if (error !== null) throw toFunctionError(error);
  return { account, client };
}
