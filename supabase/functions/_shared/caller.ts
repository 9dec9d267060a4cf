import type { SupabaseClient } from "@supabase/supabase-js";
import { Refusal } from "./answers.ts";
import { setting, type Deps } from "./deps.ts";

/** The signed-in member a request comes from. */
export interface Caller {
  id: string;
  /** Null for accounts without one. */
  email: string | null;
}

/** The token of an `Authorization: Bearer` header, or undefined. */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** The level a token says its session has reached. The auth server has checked the token before this is asked. */
function assuranceLevel(token: string): unknown {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const claims = JSON.parse(atob(payload)) as Record<string, unknown>;
  return claims["aal"];
}

/**
 * Who is calling, asked of the auth server, so that an ended session does not count.
 * @param refusal the sentence for callers who are not signed in.
 * @throws {Refusal} 401 unauthorized or second_factor_due, or 503 auth_unavailable when the auth server does not answer.
 */
export async function requireCaller(
  request: Request,
  service: SupabaseClient,
  refusal: string,
): Promise<Caller> {
  const { caller, secondFactorDue } = await identifyCaller(request, service, refusal);
  if (secondFactorDue) {
    const message = "Please enter the code of your second factor first.";
    throw new Refusal(401, "second_factor_due", message);
  }
  return caller;
}

/**
 * The same, also for a session that has shown a password only although the account has a second factor.
 * @throws {Refusal} 401 unauthorized, or 503 auth_unavailable.
 */
export async function identifyCaller(
  request: Request,
  service: SupabaseClient,
  refusal: string,
): Promise<{ caller: Caller; secondFactorDue: boolean }> {
  const token = bearerToken(request);
  if (token === undefined) throw new Refusal(401, "unauthorized", refusal);
  const { data, error } = await service.auth.getUser(token);
  if (error !== null) {
    const status = error.status ?? 0;
    if (status >= 400 && status < 500 && status !== 429) {
      throw new Refusal(401, "unauthorized", refusal);
    }
    const sorry = "We could not check who you are. Please try again.";
    throw new Refusal(503, "auth_unavailable", sorry, { cause: error });
  }
  const hasFactor = data.user.factors?.some(({ status }) => status === "verified") === true;
  return {
    caller: { id: data.user.id, email: data.user.email ?? null },
    secondFactorDue: hasFactor && assuranceLevel(token) !== "aal2",
  };
}

/** Compares without telling by its duration where two texts differ. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [new TextEncoder().encode(given), new TextEncoder().encode(expected)];
  let difference = a.length ^ b.length;
  for (let place = 0; place < b.length; place += 1) difference |= (a[place] ?? 0) ^ (b[place] ?? 0);
  return difference === 0;
}

/**
 * Lets only the scheduler pass, which calls with the service key.
 * @throws {Refusal} 403 forbidden.
 */
export function requireScheduler(request: Request, deps: Deps): void {
  if (!isSame(bearerToken(request) ?? "", setting(deps, "SUPABASE_SERVICE_ROLE_KEY"))) {
    throw new Refusal(403, "forbidden", "Only the scheduler may call this.");
  }
}
