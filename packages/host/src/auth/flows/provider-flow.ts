// Sign-ins that are at a provider: begun by `/authorize`, answered once at `/callback` (`auth.flow_state`).

import type { Queryable } from "../../postgres/database.ts";
import { isUuid } from "../../uuid.ts";
import { AuthError } from "../auth-error.ts";
import {
  isProviderName,
  type ProviderAccount,
  type ProviderName,
} from "../providers/provider-kinds.ts";
import type { CodeChallenge } from "../routes/request-fields.ts";
import { hashToken, newToken } from "./hash-token.ts";

/** How long a person may take at the provider. */
const flowLifetimeS = 600;

/** A sign-in at a provider, as its answer finds it. */
export interface ProviderFlow {
  id: string;
  provider: ProviderName;
  /** Was on the allow list when it began. */
  redirectTo: string;
  /** True when the answer is a code for the browser that began it, and no session. */
  isPkce: boolean;
  /** The account that gets the identity; null for a sign-in. */
  linkingTarget: string | null;
  isExpired: boolean;
  clientState: string | null;
}

/** Stores that a sign-in begins. @returns its id, which is the `state`, and the verifier of the provider's code */
export async function createProviderFlow(
  db: Queryable,
  flow: {
    provider: ProviderName;
    redirectTo: string;
    challenge: CodeChallenge | undefined;
    linkingTarget?: string | undefined;
  },
): Promise<{ state: string; verifier: string }> {
  const verifier = newToken();
  const { rows } = await db.query<{ id: string }>(
    `with client as (
       insert into auth.oauth_client_states (provider_type, code_verifier) values ($1, $2) returning id)
     insert into auth.flow_state (provider_type, auth_code, code_challenge_method, code_challenge,
       authentication_method, referrer, linking_target_id, oauth_client_state_id)
     select $1, $3, $4, $5, 'oauth', $6, $7, client.id from client returning id`,
    [
      flow.provider,
      verifier,
      hashToken(newToken()),
      flow.challenge?.method ?? null,
      flow.challenge?.challenge ?? null,
      flow.redirectTo,
      flow.linkingTarget ?? null,
    ],
  );
  const state = rows[0]?.id;
  if (state === undefined) throw new Error("the sign-in was not stored");
  return { state, verifier };
}

/** @returns undefined for a state that was never given out, or long ago */
export async function findProviderFlow(
  db: Queryable,
  state: string,
): Promise<ProviderFlow | undefined> {
  if (!isUuid(state)) return undefined;
  const { rows } = await db.query<{
    provider_type: string;
    referrer: string;
    is_pkce: boolean;
    linking_target_id: string | null;
    is_expired: boolean;
    oauth_client_state_id: string | null;
  }>(
    `select provider_type, coalesce(referrer, '') as referrer, code_challenge is not null as is_pkce,
       linking_target_id, created_at < now() - make_interval(secs => $2) as is_expired, oauth_client_state_id
     from auth.flow_state where id = $1 and provider_type <> 'email'`,
    [state, flowLifetimeS],
  );
  const [row] = rows;
  if (row === undefined || !isProviderName(row.provider_type)) return undefined;
  return {
    id: state,
    provider: row.provider_type,
    redirectTo: row.referrer,
    isPkce: row.is_pkce,
    linkingTarget: row.linking_target_id,
    isExpired: row.is_expired,
    clientState: row.oauth_client_state_id,
  };
}

/**
 * Uses a sign-in up, so that no second answer counts. Call it outside a transaction, before the provider is asked.
 * @returns the verifier of the provider's code.
 * @throws {AuthError} 400 when it is too old or was answered before.
 */
export async function claimProviderFlow(db: Queryable, flow: ProviderFlow): Promise<string> {
  if (flow.isExpired) throw new AuthError(400, "bad_oauth_state", "OAuth state has expired");
  const { rows } = await db.query<{ code_verifier: string }>(
    "delete from auth.oauth_client_states where id = $1 and provider_type = $2 returning code_verifier",
    [flow.clientState, flow.provider],
  );
  const verifier = rows[0]?.code_verifier;
  if (verifier === undefined) {
    throw new AuthError(400, "flow_state_already_used", "State has already been used");
  }
  return verifier;
}

/**
 * Issues the auth code that a PKCE sign-in at a provider redirects with.
 * @param account to be linked when the code is exchanged; undefined when the account was found already.
 */
export async function issueProviderCode(
  db: Queryable,
  flow: ProviderFlow,
  userId: string,
  account: ProviderAccount | undefined,
): Promise<string> {
  const code = newToken();
  const { rowCount } = await db.query(
    `update auth.flow_state set auth_code = $2, auth_code_issued_at = now(), updated_at = now(), user_id = $3,
       provider_claims = $4 where id = $1 and user_id is null`,
    [flow.id, hashToken(code), userId, account === undefined ? null : JSON.stringify(account)],
  );
  if (rowCount !== 1) {
    throw new AuthError(400, "flow_state_already_used", "State has already been used");
  }
  return code;
}

/** Ends a sign-in without PKCE, whose answer is a session. */
export async function endProviderFlow(db: Queryable, flow: ProviderFlow): Promise<void> {
  await db.query("delete from auth.flow_state where id = $1", [flow.id]);
}
