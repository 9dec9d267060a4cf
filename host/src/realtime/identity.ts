import type { HostContext } from "../context.ts";
import { InvalidToken, type Caller } from "../keys.ts";
import { maxTokenBytes } from "./limits.ts";
import type { Viewer } from "./changes/sight-sql.ts";

/** Who is on a channel, and until when. */
export interface Identity {
  viewer: Viewer;
  /** End of the token in milliseconds since the epoch; undefined for a bare API key. */
  expiresAt: number | undefined;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** What stands in no header and in no token. */
const UNPRINTABLE = /[^\x20-\x7e]/;

function identityOf(caller: Caller): Identity {
  const { exp, sub } = caller.claims;
  const claims = JSON.stringify(caller.claims);
  const subject = typeof sub === "string" ? sub : "";
  return {
    viewer: {
      role: caller.role,
      claims,
      key: `${caller.role}\0${claims}`,
      subject,
      account: UUID.test(subject) ? subject.replaceAll("-", "") : undefined,
    },
    expiresAt: typeof exp === "number" ? exp * 1000 : undefined,
  };
}

/** Finds out who is behind an API key and a token; a role requests may not take is refused. */
export class Identities {
  readonly #context: HostContext;
  readonly #allowed = new Map<string, boolean>();

  constructor(context: HostContext) {
    this.#context = context;
  }

  /**
   * @param headers where key and token stand, as in any request
   * @throws {InvalidToken}
   */
  async ofHeaders(headers: Headers): Promise<Identity> {
    const caller = await this.#context.keys.resolveCaller(
      new Request(this.#context.localUrl, { headers }),
    );
    if (!(await this.#mayBecome(caller.role))) {
      throw new InvalidToken(`The role ${caller.role} is not one a request may take`);
    }
    return identityOf(caller);
  }

  /** The identity behind an API key, with or without the token of an account. */
  async of(apiKey: string, token: string | undefined): Promise<Identity> {
    // Before anything else is done with it: floods of bad tokens are to stay cheap.
    if (token !== undefined && (token.length > maxTokenBytes || UNPRINTABLE.test(token))) {
      throw new InvalidToken("JWT could not be verified");
    }
    if (UNPRINTABLE.test(apiKey)) throw new InvalidToken("Invalid API key");
    const headers = new Headers({ apikey: apiKey });
    if (token !== undefined && token !== "") headers.set("authorization", `Bearer ${token}`);
    return await this.ofHeaders(headers);
  }

  async #mayBecome(role: string): Promise<boolean> {
    const known = this.#allowed.get(role);
    if (known !== undefined) return known;
    const { rows } = await this.#context.db.background.query<{ able: boolean }>(
      "select coalesce((select pg_has_role('authenticator', oid, 'member') from pg_roles where rolname = $1), false) as able",
      [role],
    );
    const able = rows[0]?.able === true;
    if (able) this.#allowed.set(role, able);
    return able;
  }
}
