import type { DatabaseClient } from "../database/database-client.ts";
import { FunctionError } from "./responses.ts";
import { serviceRoleKeys } from "../api-keys.ts";
import type { Deps } from "../deps.ts";

/** The signed-in member a request comes from. */
export interface Member {
  id: string;
  /** Null for accounts without one. */
  email: string | null;
}

/** The token of an `Authorization: Bearer` header, or undefined. */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** The claims of a token that the auth server has already verified. */
function claimsOf(token: string): Record<string, unknown> {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  return JSON.parse(atob(payload)) as Record<string, unknown>;
}

/**
 * The signed-in member, verified by the auth server so that an ended session is refused. API keys, anonymous accounts
 * and accounts of another database role are refused too.
 * @param message the error message for callers who are not signed in.
 * @throws {FunctionError} 401 unauthorized or second_factor_due, or 503 auth_unavailable when the auth server does not answer.
 */
export async function requireMember(
  request: Request,
  service: DatabaseClient,
  message: string,
): Promise<Member> {
  const { caller, hasFactor, secondFactorDue } = await identifyMember(request, service, message);
  if (secondFactorDue) {
    const message = "Please enter the code of your second factor first.";
    throw new FunctionError(401, "second_factor_due", message);
  }
  if (!hasFactor && (await isAdmin(service, caller))) {
    const message = "Administrators need a second factor. Please set yours up first.";
    throw new FunctionError(403, "admin_second_factor_due", message);
  }
  return caller;
}

async function isAdmin(service: DatabaseClient, { id }: Member): Promise<boolean> {
  const { data, error } = await service.from("profiles").select("role").eq("id", id).maybeSingle();
  if (error) throw new Error("the profile could not be read", { cause: error });
  return data?.role === "admin";
}

/**
 * As `requireMember`, but accepts a session at `aal1` of an account with a second factor.
 * @throws {FunctionError} 401 unauthorized, or 503 auth_unavailable.
 */
export async function identifyMember(
  request: Request,
  service: DatabaseClient,
  message: string,
): Promise<{
  caller: Member;
  hasFactor: boolean;
  secondFactorDue: boolean;
  session: string | null;
}> {
  const token = bearerToken(request);
  if (token === undefined) throw new FunctionError(401, "unauthorized", message);
  const { data, error } = await service.auth.getUser(token);
  if (error !== null) {
    const status = error.status ?? 0;
    if (status >= 400 && status < 500 && status !== 429) {
      throw new FunctionError(401, "unauthorized", message);
    }
    const sorry = "We could not check who you are. Please try again.";
    throw new FunctionError(503, "auth_unavailable", sorry, { cause: error });
  }
  const { is_anonymous: isAnonymous, role } = data.user;
  if (isAnonymous === true || role !== "authenticated") {
    throw new FunctionError(401, "unauthorized", message);
  }
  const hasFactor = data.user.factors?.some(({ status }) => status === "verified") === true;
  const { aal, session_id: session } = claimsOf(token);
  return {
    caller: { id: data.user.id, email: data.user.email ?? null },
    hasFactor,
    secondFactorDue: hasFactor && aal !== "aal2",
    session: typeof session === "string" ? session : null,
  };
}

/** The part of a session's claims that says how its holder has shown who they are. */
const methodsOf = (token: string) => {
  const { amr } = claimsOf(token);
  return (Array.isArray(amr) ? amr : []) as { method?: unknown; timestamp?: unknown }[];
};

/**
 * When the caller signed in at a provider, such as Google, in epoch seconds; null in every other session.
 * @param request of a caller whose token the auth server has verified.
 */
export function providerSignInAt(request: Request): number | null {
  const found = methodsOf(bearerToken(request) ?? "").find(({ method }) => method === "oauth");
  return typeof found?.timestamp === "number" ? found.timestamp : null;
}

/** Compares in constant time. By hand, because the offline check under Deno knows no `node:crypto`. */
function isEqualConstantTime(given: string, expected: string): boolean {
  const [a, b] = [new TextEncoder().encode(given), new TextEncoder().encode(expected)];
  let difference = a.length ^ b.length;
  for (let place = 0; place < b.length; place += 1) difference |= (a[place] ?? 0) ^ (b[place] ?? 0);
  return difference === 0;
}

/** Minimum length of SCHEDULE_SECRET in characters. */
const shortestScheduleSecret = 32;

/**
 * Requires a key of the server role, or SCHEDULE_SECRET where the deployment sets it.
 * @throws {FunctionError} 403 forbidden.
 * @throws {Error} when SCHEDULE_SECRET is too short, or the deployment has neither a key nor a secret.
 */
export function requireScheduler(request: Request, deps: Deps): void {
  const given = bearerToken(request) ?? "";
  const accepted = serviceRoleKeys(deps);
  const secret = deps.env["SCHEDULE_SECRET"] ?? "";
  if (secret !== "" && secret.length < shortestScheduleSecret) {
    throw new Error(`SCHEDULE_SECRET has fewer than ${shortestScheduleSecret} characters`);
  }
  if (secret !== "") accepted.push(secret);
  if (accepted.length === 0) throw new Error("no key of the server role is set");
  // Compares with every key, so that the duration does not depend on which one matches.
  const matches = accepted.filter((expected) => isEqualConstantTime(given, expected)).length;
  if (matches === 0) throw new FunctionError(403, "forbidden", "Only the scheduler may call this.");
}
