// Finds out which subscribers may see changed rows, and isolates those whose policies fail or take too long.

import { availableParallelism } from "node:os";
import type pg from "pg";
import type { Pool, PoolClient } from "pg";
import type { Logger } from "pino";
import type { Database } from "../../postgres/database.ts";
import { isSubscriberError, isTimeout, Quarantine } from "./quarantine.ts";
import { PolicyAuthorizers, type AuthorizerResult } from "./policy-authorizers.ts";
import type { SubscriberIdentity } from "../channel-authorization/subscriber-identity.ts";
import { rlsQuery, type RowKeys, type RowVisibility } from "./rls-query.ts";

/** Limit of a query for several identities: a fixed part, and a part for each identity and row. */
const batchTimeoutMs = 2_000;
const timeoutPerIdentityAndRowMs = 0.1;
/** Limit of a query for a single identity, after a query for several timed out. */
const singleTimeoutMs = 500;
/** Identities that justify a connection of their own, and the largest number of connections. */
const minIdentitiesPerConnection = 250;
const maxConnections = Math.min(4, availableParallelism());

const noRows: ReadonlySet<number> = new Set();

/** Asks which identities can see which rows. */
export interface VisibilityQuery {
  /** The table, and the roles of all its subscribers. */
  oid: number;
  roles: readonly string[];
  keys: RowKeys;
  identities: readonly SubscriberIdentity[];
  /** By role, the authorizer of its policy. */
  authorizers: ReadonlyMap<string, string>;
  /** The transactions that wrote the rows. */
  transactions: readonly number[];
}

/** Identities by authorizer; under `undefined` those whose policies have to be evaluated. */
type IdentityGroups = ReadonlyMap<string | undefined, readonly SubscriberIdentity[]>;

/** Authorizers take user ids, so they cannot answer for an identity without an account. */
function groupByAuthorizer(
  identities: readonly SubscriberIdentity[],
  authorizers: ReadonlyMap<string, string>,
): IdentityGroups {
  return Map.groupBy(identities, ({ account, role }) =>
    account === undefined ? undefined : authorizers.get(role),
  );
}

/** Splits many identities over several connections, so that their queries run in parallel. */
function splitAcrossConnections(
  identities: readonly SubscriberIdentity[],
): (readonly SubscriberIdentity[])[] {
  const parts = Math.min(maxConnections, Math.ceil(identities.length / minIdentitiesPerConnection));
  const size = Math.ceil(identities.length / Math.max(parts, 1));
  return Array.from({ length: parts }, (_, at) => identities.slice(at * size, (at + 1) * size));
}

/** Decides which subscribers can see a row: by the policy's authorizer, or else by row-level security for each identity. */
export class VisibilityResolver {
  readonly #pool: Pool;
  readonly #log: Logger;
  readonly #authorizers: PolicyAuthorizers;
  readonly #quarantined: Quarantine;
  /** Connections by part, see `splitAcrossConnections`. */
  readonly #clients = new Map<number, PoolClient>();
  /** The last grouping of each list of identities, which usually repeats. */
  readonly #groups = new WeakMap<
    readonly SubscriberIdentity[],
    { authorizers: ReadonlyMap<string, string>; groups: IdentityGroups }
  >();

  /** Policies are evaluated over `authenticator`, the login of requests; authorizers run over `background`, as the owner. */
  constructor(
    { authenticator, background }: Pick<Database, "authenticator" | "background">,
    log: Logger,
    now: () => number,
  ) {
    this.#pool = authenticator;
    this.#log = log;
    this.#quarantined = new Quarantine(now);
    this.#authorizers = new PolicyAuthorizers(background, log, now);
  }

  /**
   * Returns which of the rows each identity can see now.
   * @throws when the database cannot be queried
   */
  async resolve(query: VisibilityQuery): Promise<RowVisibility> {
    const { keys } = query;
    if (keys.rows.length === 0) return () => false;
    const answered = new Map<SubscriberIdentity, RowVisibility>();
    const remaining: SubscriberIdentity[] = [];
    for (const [authorizer, identities] of this.#groupsOf(query)) {
      const answer =
        authorizer && (await this.#authorizers.authorize({ ...query, authorizer, identities }));
      if (!answer) remaining.push(...identities);
      else for (const identity of identities) answered.set(identity, answer.isVisible);
    }
    const seen = new Map<SubscriberIdentity, ReadonlySet<number>>();
    // Identities with the same role and claims see the same rows.
    const alike = [...Map.groupBy(remaining, ({ key }) => key).values()];
    await this.#queryPolicies(
      keys,
      alike.flatMap(([first]) => first ?? []),
      seen,
    );
    for (const [first, ...others] of alike) {
      for (const identity of others) seen.set(identity, (first && seen.get(first)) ?? noRows);
    }
    return (identity, rowIndex) =>
      answered.get(identity)?.(identity, rowIndex) ?? seen.get(identity)?.has(rowIndex) === true;
  }

  /**
   * Does the same before the rows are known to be visible and the table to be unchanged: the result carries the
   * table's metadata.
   * @returns undefined unless one authorizer can answer for every identity
   */
  async resolveWithMetadata(query: VisibilityQuery): Promise<AuthorizerResult | undefined> {
    const [[authorizer, identities] = [], ...others] = this.#groupsOf(query);
    if (!authorizer || !identities || others.length > 0) return undefined;
    // After an error, the caller falls back to `resolve`, over a new connection.
    return await this.#authorizers
      .authorize({ ...query, authorizer, identities })
      .catch(() => undefined);
  }

  #groupsOf({ keys, identities, authorizers }: VisibilityQuery): IdentityGroups {
    if (!PolicyAuthorizers.canAnswer(keys)) return new Map([[undefined, identities]]);
    const last = this.#groups.get(identities);
    if (last?.authorizers === authorizers) return last.groups;
    const groups = groupByAuthorizer(identities, authorizers);
    this.#groups.set(identities, { authorizers, groups });
    return groups;
  }

  release(): void {
    this.#authorizers.release();
    for (const client of this.#clients.values()) client.release(true);
    this.#clients.clear();
  }

  /** Evaluates policies. One that raises or times out for an identity hides the row from that identity only. */
  async #queryPolicies(
    keys: RowKeys,
    identities: readonly SubscriberIdentity[],
    seen: Map<SubscriberIdentity, ReadonlySet<number>>,
  ): Promise<void> {
    const active = identities
      .filter((identity) => !this.#quarantined.has(identity.key))
      .toSorted((a, b) => (a.role < b.role ? -1 : Number(a.role > b.role)));
    for (const identity of identities) seen.set(identity, noRows);
    if (active.length === 0) return;
    const timeoutMs =
      batchTimeoutMs + timeoutPerIdentityAndRowMs * active.length * keys.rows.length;
    try {
      const answers = await Promise.all(
        splitAcrossConnections(active).map(async (part, at) => {
          const answer = await this.#runQuery(keys, part, { isRowByRow: false, timeoutMs }, at);
          return [part, answer] as const;
        }),
      );
      for (const [part, answer] of answers) this.#readAnswer(seen, part, answer);
    } catch (error) {
      if (!isSubscriberError(error)) throw error;
      this.#log.warn({ err: error, table: keys.table }, "a policy failed for a subscriber");
      if (isTimeout(error)) await this.#queryOneByOne(keys, active, seen);
      else await this.#queryRowByRow(keys, active, seen, timeoutMs);
    }
  }

  async #queryRowByRow(
    keys: RowKeys,
    identities: readonly SubscriberIdentity[],
    seen: Map<SubscriberIdentity, ReadonlySet<number>>,
    timeoutMs: number,
  ): Promise<void> {
    try {
      this.#readAnswer(
        seen,
        identities,
        await this.#runQuery(keys, identities, { isRowByRow: true, timeoutMs }),
      );
    } catch (error) {
      if (!isSubscriberError(error)) throw error;
      await this.#queryOneByOne(keys, identities, seen);
    }
  }

  async #queryOneByOne(
    keys: RowKeys,
    identities: readonly SubscriberIdentity[],
    seen: Map<SubscriberIdentity, ReadonlySet<number>>,
  ): Promise<void> {
    for (const identity of identities) {
      try {
        this.#readAnswer(
          seen,
          [identity],
          await this.#runQuery(keys, [identity], { isRowByRow: true, timeoutMs: singleTimeoutMs }),
        );
      } catch (error) {
        if (!isSubscriberError(error)) throw error;
        if (isTimeout(error)) {
          this.#quarantined.add(identity.key);
        }
      }
    }
  }

  #readAnswer(
    seen: Map<SubscriberIdentity, ReadonlySet<number>>,
    identities: readonly SubscriberIdentity[],
    answer: string,
  ): void {
    const parts = answer.split(";");
    // Most identities see the same rows, so each distinct part is parsed once.
    const known = new Map<string, ReadonlySet<number>>([["", noRows]]);
    for (const [at, identity] of identities.entries()) {
      const part = parts[at] ?? "";
      let rowIndexes = known.get(part);
      if (rowIndexes === undefined) {
        const numbers = part.split(",").filter((number) => number !== "");
        rowIndexes = new Set(numbers.map((number) => Number(number) - 1));
        known.set(part, rowIndexes);
      }
      seen.set(identity, rowIndexes);
    }
  }

  async #runQuery(
    keys: RowKeys,
    identities: readonly SubscriberIdentity[],
    options: { isRowByRow: boolean; timeoutMs: number },
    part = 0,
  ): Promise<string> {
    const client = this.#clients.get(part) ?? (await this.#pool.connect());
    this.#clients.set(part, client);
    try {
      const results = (await client.query(
        rlsQuery(keys, identities, options),
      )) as unknown as pg.QueryResult<{ visibility: string }>[];
      return results.at(-1)?.rows[0]?.visibility ?? "";
    } catch (error) {
      if (!isSubscriberError(error)) this.release();
      throw error;
    }
  }
}
