// Server side of PKCE: stores the code challenge, issues the auth code and exchanges it (`auth.flow_state`).

import { createHash } from "node:crypto";
import { isEqualConstantTime } from "../../constant-time.ts";
import type { Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { ProviderAccount } from "../providers/provider-kinds.ts";
import type { CodeChallenge } from "../routes/request-fields.ts";
import { hashToken, newToken } from "./hash-token.ts";
import type { AuthenticationMethod } from "./sessions.ts";

/** Seconds between opening a link and exchanging its code. */
const authCodeLifetimeS = 300;

/** Stores the code challenge of a PKCE flow until its link is opened. @returns the id of the flow; each link has its own */
export async function createFlowState(
  db: Queryable,
  userId: string,
  method: AuthenticationMethod,
  challenge: CodeChallenge,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into auth.flow_state (user_id, auth_code, code_challenge_method, code_challenge, provider_type,
       authentication_method) values ($1, $2, $3, $4, 'email', $5) returning id`,
    [userId, hashToken(newToken()), challenge.method, challenge.challenge, method],
  );
  const flow = rows[0]?.id;
  if (flow === undefined) throw new Error("the flow was not stored");
  return flow;
}

/**
 * Issues the auth code that a PKCE link redirects with.
 * @param passwordHash password of a contested sign-up; it takes effect when the code is exchanged.
 * @throws {AuthError} when the flow no longer exists.
 */
export async function issueAuthCode(
  db: Queryable,
  flow: string | null,
  passwordHash: string | null = null,
): Promise<string> {
  const code = newToken();
  const { rowCount } = await db.query(
    `update auth.flow_state set auth_code = $2, auth_code_issued_at = now(), updated_at = now(),
       password_hash = $3 where id = $1`,
    [flow, hashToken(code), passwordHash],
  );
  if (rowCount !== 1) {
    throw new AuthError(422, "flow_state_not_found", "No valid flow state found for user.");
  }
  return code;
}

/** What a redeemed auth code stands for. */
export interface RedeemedFlow {
  userId: string;
  method: AuthenticationMethod;
  passwordHash: string | null;
  /** `email`, or the name of a provider. */
  provider: string;
  /** An account at a provider that is to be linked now. */
  toLink: ProviderAccount | null;
}

/**
 * Exchanges an auth code and ends its PKCE flow, in the caller's transaction.
 * @throws {AuthError} when the code is unknown or expired, or the verifier does not match the challenge.
 */
export async function exchangeAuthCode(
  db: Queryable,
  code: string,
  verifier: string,
): Promise<RedeemedFlow> {
  const { rows } = await db.query<{
    user_id: string;
    authentication_method: AuthenticationMethod;
    password_hash: string | null;
    code_challenge: string | null;
    code_challenge_method: "s256" | "plain" | null;
    provider_type: string;
    provider_claims: ProviderAccount | null;
    expired: boolean;
  }>(
    `delete from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null
     returning user_id, authentication_method, password_hash, code_challenge, code_challenge_method,
       provider_type, provider_claims, auth_code_issued_at < now() - make_interval(secs => $2) as expired`,
    [hashToken(code), authCodeLifetimeS],
  );
  const flow = rows[0];
  if (!flow) {
    const message = "invalid flow state, no valid flow state found";
    throw new AuthError(404, "flow_state_not_found", message);
  }
  if (flow.expired) {
    throw new AuthError(422, "flow_state_expired", "invalid flow state, flow state has expired");
  }
  const computed =
    flow.code_challenge_method === "s256"
      ? createHash("sha256").update(verifier).digest("base64url")
      : verifier;
  if (flow.code_challenge === null || !isEqualConstantTime(computed, flow.code_challenge)) {
    throw new AuthError(
      400,
      "bad_code_verifier",
      "code challenge does not match previously saved code verifier",
    );
  }
  return {
    userId: flow.user_id,
    method: flow.authentication_method,
    passwordHash: flow.password_hash,
    provider: flow.provider_type,
    toLink: flow.provider_claims,
  };
}
