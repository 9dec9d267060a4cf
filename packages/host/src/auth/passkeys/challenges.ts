// Challenges of passkeys: made for one answer, within five minutes (`auth.webauthn_challenges`).

import type { Queryable } from "../../postgres/database.ts";
import { isUuid } from "../../uuid.ts";
import { AuthError, validationFailed } from "../auth-error.ts";

const challengeLifetimeS = 300;
/** Most open challenges of one account; older ones are deleted. */
const maxWaiting = 10;

type ChallengeType = "registration" | "authentication";

/** What the client gets with the options for its authenticator. */
export interface OpenChallenge {
  challenge_id: string;
  expires_at: number;
}

/** Stores a challenge. @param userId undefined for a sign-in, whose account is not known yet */
export async function openChallenge(
  db: Queryable,
  type: ChallengeType,
  userId: string | undefined,
  challenge: string,
): Promise<OpenChallenge> {
  const { rows } = await db.query<{ id: string; expires_at: number }>(
    `insert into auth.webauthn_challenges (user_id, challenge_type, session_data, expires_at)
     values ($1, $2, $3, now() + make_interval(secs => $4))
     returning id, extract(epoch from expires_at)::int as expires_at`,
    [userId ?? null, type, JSON.stringify({ challenge }), challengeLifetimeS],
  );
  if (userId !== undefined) {
    await db.query(
      `delete from auth.webauthn_challenges where id in (
         select id from auth.webauthn_challenges where user_id = $1 order by created_at desc, id offset $2)`,
      [userId, maxWaiting],
    );
  }
  const [row] = rows;
  if (row === undefined) throw new Error("the challenge was not stored");
  return { challenge_id: row.id, expires_at: row.expires_at };
}

/**
 * Uses a challenge up, whatever its answer turns out to be. Call it outside the transaction that may roll back.
 * @returns the challenge.
 * @throws {AuthError} 400 when it is unknown, of another account or purpose, was answered before, or is too old.
 */
export async function takeChallenge(
  db: Queryable,
  type: ChallengeType,
  userId: string | undefined,
  id: string,
): Promise<string> {
  if (!isUuid(id)) throw validationFailed("challenge_id must be a valid UUID");
  const { rows } = await db.query<{ challenge: string; is_expired: boolean }>(
    `delete from auth.webauthn_challenges
      where id = $1 and challenge_type = $2 and user_id is not distinct from $3::uuid
      returning session_data ->> 'challenge' as challenge, expires_at < now() as is_expired`,
    [id, type, userId ?? null],
  );
  const [row] = rows;
  if (row === undefined) {
    const message = "Challenge not found or already used";
    throw new AuthError(400, "webauthn_challenge_not_found", message);
  }
  if (row.is_expired) {
    throw new AuthError(400, "webauthn_challenge_expired", "Challenge has expired");
  }
  return row.challenge;
}
