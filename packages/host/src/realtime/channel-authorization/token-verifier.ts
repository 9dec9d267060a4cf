// Verifies API key, JWT, session and pre-request function (`pgrst.db_pre_request`) for everyone who uses realtime.

import type { HostContext } from "../../context.ts";
import { InvalidToken, type Caller } from "../../keys.ts";
import { inTransaction } from "../../postgres/database.ts";
import { buildApiSettings } from "../../rest/schema-cache/build-settings.ts";
import { readPreRequest, readRoles } from "../../rest/schema-cache/read-routines.ts";
import { toBusyError } from "../limits/busy-errors.ts";
import { maxTokenBytes } from "../limits/realtime-limits.ts";
import type { SubscriberIdentity } from "./subscriber-identity.ts";
import { isUuid } from "../../uuid.ts";

export const sessionEndedReason = "The session has ended";
/** How long the name of the pre-request function is cached. */
const preRequestCacheMs = 60_000;
/** Only two joins are checked at a time, so neither may take longer. */
const sessionStatementMs = 3_000;

/** A verified token: its identity, session and expiry. */
export interface VerifiedToken {
  identity: SubscriberIdentity;
  /** End of the token in milliseconds since the epoch; undefined for a bare API key. */
  expiresAt: number | undefined;
  /** Session of the token; undefined when it names none. */
  sessionId: string | undefined;
}

/** Characters that are not allowed in a header. */
const unprintable = /[^\x20-\x7e]/;

function verifiedTokenOf(caller: Caller): VerifiedToken {
  const { exp, session_id: sessionId, sub } = caller.claims;
  const claims = JSON.stringify(caller.claims);
  const subject = typeof sub === "string" ? sub : "";
  return {
    identity: {
      role: caller.role,
      claims,
      key: `${caller.role}\0${claims}`,
      subject,
      account: isUuid(subject) ? subject.replaceAll("-", "").toLowerCase() : undefined,
    },
    expiresAt: typeof exp === "number" ? exp * 1000 : undefined,
    sessionId: typeof sessionId === "string" ? sessionId : undefined,
  };
}

/** Verifies API keys and tokens. Rejects roles that requests may not take. */
export class TokenVerifier {
  readonly #context: HostContext;
  readonly #allowed = new Map<string, boolean>();
  #check: { name: string | undefined; readAt: number } | undefined;

  constructor(context: HostContext) {
    this.#context = context;
  }

  /**
   * @param headers with the API key and token, as in any request
   * @throws {InvalidToken}
   */
  async verifyHeaders(headers: Headers): Promise<VerifiedToken> {
    const caller = await this.#context.keys.resolveCaller(
      new Request(this.#context.localUrl, { headers }),
    );
    if (!(await this.#isAllowedRole(caller.role))) {
      throw new InvalidToken(`The role ${caller.role} is not one a request may take`);
    }
    return verifiedTokenOf(caller);
  }

  /** Verifies an API key, with or without an access token. */
  async verify(apiKey: string, token: string | undefined): Promise<VerifiedToken> {
    // First of all, so that floods of bad tokens stay cheap.
    if (token !== undefined && (token.length > maxTokenBytes || unprintable.test(token))) {
      throw new InvalidToken("JWT could not be verified");
    }
    if (unprintable.test(apiKey)) throw new InvalidToken("Invalid API key");
    const headers = new Headers({ apikey: apiKey });
    if (token !== undefined && token !== "") headers.set("authorization", `Bearer ${token}`);
    return await this.verifyHeaders(headers);
  }

  /**
   * Makes the checks of every API request: that the session is live, and the project's own pre-request function.
   * Uses only `joins`, never the caller's share of a pool: waiting for one would hold up the queue of all callers.
   * @throws {InvalidToken} when either check fails
   * @throws {DatabaseBusyError} when the query timed out
   */
  async assertSessionActive({ sessionId, identity }: VerifiedToken): Promise<void> {
    const check = await this.#preRequest();
    if (sessionId === undefined && check === undefined) return;
    const { rows } = await inTransaction(this.#context.db.joins, async (client) => {
      await client.query(`set local statement_timeout = ${sessionStatementMs}`);
      return await client.query<{ state: string }>({
        name: "realtime-session",
        text: "select host.realtime_session($1, $2, $3, $4, $5) as state",
        values: [sessionId, identity.subject, identity.role, identity.claims, check],
      });
    }).catch((error: unknown) => {
      throw toBusyError(error);
    });
    if (rows[0]?.state === "live") return;
    throw new InvalidToken(
      rows[0]?.state === "ended"
        ? sessionEndedReason
        : "This session may not be used yet, or not any more",
    );
  }

  /** The function of `pgrst.db_pre_request`, cached for `preRequestCacheMs`. */
  async #preRequest(): Promise<string | undefined> {
    const now = this.#context.now();
    if (this.#check === undefined || now - this.#check.readAt > preRequestCacheMs) {
      const { joins } = this.#context.db;
      const [roles, annotated] = [await readRoles(joins), await readPreRequest(joins)];
      this.#check = { name: buildApiSettings(roles, annotated).preRequest, readAt: now };
    }
    return this.#check.name;
  }

  async #isAllowedRole(role: string): Promise<boolean> {
    const known = this.#allowed.get(role);
    if (known !== undefined) return known;
    const { rows } = await this.#context.db.background.query<{ isMember: boolean }>(
      "select coalesce((select pg_has_role('authenticator', oid, 'member') from pg_roles where rolname = $1), false) as \"isMember\"",
      [role],
    );
    const isMember = rows[0]?.isMember === true;
    if (isMember) this.#allowed.set(role, isMember);
    return isMember;
  }
}
