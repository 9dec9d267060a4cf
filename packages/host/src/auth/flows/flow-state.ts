import { createHash, timingSafeEqual } from "node:crypto";
import type { Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { Challenge } from "../routes/request-fields.ts";
import { hashToken, newToken } from "./hash-token.ts";
import type { Method } from "./sessions.ts";

/** Seconds between opening a link and redeeming its code. */
const CODE_LIFE_S = 300;

/** Remembers the challenge of a PKCE flow until its link is opened. @returns the flow, one for each link. */
export async function startFlow(
  db: Queryable,
  userId: string,
  method: Method,
  challenge: Challenge,
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
 * The code a PKCE link redirects with.
 * @param passwordHash password of a contested sign-up, which whoever redeems the code gets.
 * @throws {AuthError} when its flow is over.
 */
export async function issueCode(
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

function sameText(a: string, b: string): boolean {
  const digest = (value: string) => createHash("sha256").update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * Ends a PKCE flow, in the caller's transaction.
 * @throws {AuthError} when the code is unknown or late, or the verifier does not answer the challenge.
 */
export async function redeemCode(
  db: Queryable,
  code: string,
  verifier: string,
): Promise<{ userId: string; method: Method; passwordHash: string | null }> {
  const { rows } = await db.query<{
    user_id: string;
    authentication_method: Method;
    password_hash: string | null;
    code_challenge: string;
    code_challenge_method: "s256" | "plain";
    expired: boolean;
  }>(
    `delete from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null
     returning user_id, authentication_method, password_hash, code_challenge, code_challenge_method,
       auth_code_issued_at < now() - make_interval(secs => $2) as expired`,
    [hashToken(code), CODE_LIFE_S],
  );
  const flow = rows[0];
  if (!flow) {
    const message = "invalid flow state, no valid flow state found";
    throw new AuthError(404, "flow_state_not_found", message);
  }
  if (flow.expired) {
    throw new AuthError(422, "flow_state_expired", "invalid flow state, flow state has expired");
  }
  const answer =
    flow.code_challenge_method === "s256"
      ? createHash("sha256").update(verifier).digest("base64url")
      : verifier;
  if (!sameText(answer, flow.code_challenge)) {
    throw new AuthError(
      400,
      "bad_code_verifier",
      "code challenge does not match previously saved code verifier",
    );
  }
  const { user_id: userId, authentication_method: method, password_hash: passwordHash } = flow;
  return { userId, method, passwordHash };
}
