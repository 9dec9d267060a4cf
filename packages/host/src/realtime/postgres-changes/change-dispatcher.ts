// Combines filters, row-level security and rendering to find out which subscribers receive a change.

import type { SubscriberIdentity } from "../channel-authorization/subscriber-identity.ts";
import type { Queryable } from "../../postgres/database.ts";
import type { ResolvedChange } from "./deliver-change.ts";
import type { BatchDecision, ChangeDecision, DecidedAccounts } from "./change-decision.ts";
import { evaluateLocalFilters, type FilterEvaluator } from "./filter-evaluator.ts";
import type { WalRelation, WalRowChange } from "./pgoutput.ts";
import { renderChanges } from "./render-changes.ts";
import type { RowVisibility } from "./rls-query.ts";
import type { SubscriberSet } from "./subscriber-set.ts";
import { positionsIn, TableMetadataCache, type TableMetadata } from "./table-metadata.ts";
import type { VisibilityQuery, VisibilityResolver } from "./visibility-resolver.ts";

/** Changes to one table, and its subscribers. */
interface Batch {
  relation: WalRelation;
  changes: readonly WalRowChange[];
  subscribers: SubscriberSet;
}

/** True when row-level security is enabled and the table has a primary key to select rows by. */
function isRowSecurityChecked(metadata: TableMetadata): boolean {
  return metadata.hasRowSecurity && metadata.key.length > 0;
}

/** The subscribers whose event and filter match each change. Permissions are checked later. */
async function matchSubscribers(
  evaluator: FilterEvaluator,
  { relation, changes, subscribers }: Batch,
  metadata: TableMetadata,
): Promise<SubscriberSet[]> {
  const tuples = changes.map((change) => change.record ?? change.old);
  const passed = await evaluator.evaluate(relation, metadata, tuples, subscribers.filters);
  return changes.map(({ type }, at) => subscribers.subset(type, passed[at] ?? new Set()));
}

/** The distinct identities to check. For a single set this is its own array, so that caches keyed by it hit. */
function identitiesOf(
  sets: ReadonlySet<SubscriberSet>,
  roles: ReadonlySet<string>,
): readonly SubscriberIdentity[] {
  const [first, ...others] = sets;
  if (first && others.length === 0 && first.roles.every((role) => roles.has(role))) {
    return first.identities;
  }
  const identities = [...sets].flatMap((subscribers) => subscribers.identities);
  return [...new Set(identities)].filter(({ role }) => roles.has(role));
}

/** The visibility query for a batch, and the index of each change among the queried rows. */
function visibilityQueryOf(
  { relation, changes, subscribers }: Batch,
  metadata: TableMetadata,
  matching: readonly SubscriberSet[],
): { query: VisibilityQuery; rowIndexOf: ReadonlyMap<WalRowChange, number> } {
  const positions = positionsIn(relation);
  const { key } = metadata;
  const sets = new Set<SubscriberSet>();
  const rowIndexOf = new Map<WalRowChange, number>();
  const rows: (string | null)[][] = [];
  for (const [at, change] of changes.entries()) {
    const matched = matching[at];
    if (change.type === "DELETE" || !matched || matched.isEmpty || !isRowSecurityChecked(metadata))
      continue;
    rowIndexOf.set(change, rows.length);
    rows.push(key.map((column) => change.record?.[positions.get(column.name) ?? -1] ?? null));
    sets.add(matched);
  }
  const query = {
    oid: relation.oid,
    roles: subscribers.roles,
    keys: { schema: relation.schema, table: relation.table, key, rows },
    identities: identitiesOf(sets, metadata.rolesReadingKey),
    authorizers: metadata.authorizers,
    transactions: transactionsOf(changes),
  };
  return { query, rowIndexOf };
}

/** The table of a batch, the subscribers that match each change, and who can see which rows. */
interface BatchVisibility {
  metadata: TableMetadata;
  matching: readonly SubscriberSet[];
  /** Index of each checked change among the queried rows. */
  rowIndexOf: ReadonlyMap<WalRowChange, number>;
  isVisible: RowVisibility;
}

/**
 * Whether the identity is notified of a deleted row, for which row-level security can no longer be evaluated: everyone is,
 * unless the table's comment names the column of its account. The log carries only the columns of the replica identity;
 * when that one is not among them, no member is notified.
 */
function isNotifiedOfDeletion(
  { deletesReach }: TableMetadata,
  { relation, old }: WalRowChange,
): (identity: SubscriberIdentity) => boolean {
  if (deletesReach === null) return () => true;
  const account = old?.[positionsIn(relation).get(deletesReach) ?? -1];
  return ({ role, subject }) =>
    role === "service_role" || (role === "authenticated" && subject !== "" && subject === account);
}

function transactionsOf(changes: readonly WalRowChange[]): number[] {
  return [...new Set(changes.map((change) => change.transaction))];
}

/** A decision is of its moment: an older one is asked for again. */
const decisionMs = 2_000;

/** True when another host's decision is recent and knows what each role of the subscribers may read. */
function isUsable(decision: ChangeDecision | undefined, { roles }: SubscriberSet): boolean {
  return (
    decision !== undefined &&
    Math.abs(Date.now() - decision.at) < decisionMs &&
    roles.every((role) => decision.roles.includes(role))
  );
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const first = items.filter((item) => isFirst(item));
  const kept = new Set(first);
  return [first, items.filter((item) => !kept.has(item))];
}

/** The accounts that may see a row, or those that may not where they are fewer. */
function visibleAccounts(
  asked: readonly SubscriberIdentity[],
  canSee: (identity: SubscriberIdentity) => boolean,
): DecidedAccounts {
  const [allowed, denied] = partition(asked, canSee);
  const accounts = (identities: readonly SubscriberIdentity[]) =>
    [...new Set(identities.map(({ account = "" }) => account))].join("");
  return denied.length < allowed.length
    ? { denied: accounts(denied) }
    : { allowed: accounts(allowed) };
}

/** Decides which subscribers receive each change, and with which payload. */
export class ChangeDispatcher {
  readonly #db: Queryable;
  readonly #tables: TableMetadataCache;
  readonly #filterEvaluator: FilterEvaluator;
  readonly #visibility: VisibilityResolver;

  constructor(db: Queryable, filterEvaluator: FilterEvaluator, visibility: VisibilityResolver) {
    this.#db = db;
    this.#tables = new TableMetadataCache(db);
    this.#filterEvaluator = filterEvaluator;
    this.#visibility = visibility;
  }

  /**
   * Resolves the recipients of changes to one table. Permissions are those at the time of the call: a member
   * demoted after a change was committed does not receive it, as on hosted projects.
   */
  async resolveRecipients(
    relation: WalRelation,
    changes: readonly WalRowChange[],
    subscribers: SubscriberSet,
  ): Promise<ResolvedChange[]> {
    // All of them or none, because they are delivered in their order.
    const isDecided = changes.every(({ decision }) => isUsable(decision, subscribers));
    return await this.#resolveBatch({ relation, changes, subscribers }, isDecided);
  }

  /**
   * Decides for the subscribers of all hosts which accounts may see each changed row.
   * @returns undefined unless one authorizer answers for all of them
   */
  async decide(
    relation: WalRelation,
    changes: readonly WalRowChange[],
    subscribers: SubscriberSet,
  ): Promise<BatchDecision | undefined> {
    const batch = { relation, changes, subscribers };
    const { oid } = relation;
    if (this.#tables.cached(oid) === undefined)
      await this.#tables.refresh(oid, subscribers.roles, []);
    // A second time when the table has changed since the last batch.
    const resolved =
      (await this.#resolveInOneQuery(batch)) ?? (await this.#resolveInOneQuery(batch));
    const metadata = this.#tables.cachedRow(oid);
    if (resolved === undefined || metadata === undefined) return undefined;
    const { matching, rowIndexOf, isVisible } = resolved;
    return {
      metadata,
      roles: subscribers.roles,
      changes: changes.map((change, at) => {
        const rowIndex = rowIndexOf.get(change);
        if (rowIndex === undefined) return { allowed: "" };
        const asked = matching[at]?.identities ?? [];
        return visibleAccounts(asked, (identity) => isVisible(identity, rowIndex));
      }),
    };
  }

  async #resolveBatch(batch: Batch, isDecided: boolean): Promise<ResolvedChange[]> {
    const { relation, changes } = batch;
    if (changes.length === 0 || this.#matchesNobody(batch)) return [];
    const resolved =
      (isDecided ? await this.#resolveFromDecisions(batch) : undefined) ??
      (await this.#resolveInOneQuery(batch)) ??
      (await this.#resolve(batch));
    if (resolved === undefined) return [];
    const { metadata, matching, rowIndexOf, isVisible } = resolved;
    const rendered = await renderChanges(this.#db, relation, metadata, changes);
    const isChecked = isRowSecurityChecked(metadata);
    return changes.flatMap((change, at) => {
      const [json, matched] = [rendered[at], matching[at]];
      if (json === undefined || matched === undefined || matched.isEmpty) return [];
      const rowIndex = rowIndexOf.get(change);
      const canSee =
        change.type === "DELETE"
          ? isNotifiedOfDeletion(metadata, change)
          : (identity: SubscriberIdentity) =>
              !isChecked ||
              !metadata.rolesReadingKey.has(identity.role) ||
              (rowIndex !== undefined && isVisible(identity, rowIndex));
      return [{ change, metadata, rendered: json, subscribers: matched, canSee }];
    });
  }

  /** True when filters that are evaluated here let no change through, so that nothing has to be asked. */
  #matchesNobody({ relation, changes, subscribers }: Batch): boolean {
    if (!subscribers.filters.every(({ isLocal }) => isLocal)) return false;
    const tuples = changes.map((change) => change.record ?? change.old);
    const passed = evaluateLocalFilters(relation, tuples, subscribers.filters);
    return changes.every(({ type }, at) => subscribers.subset(type, passed[at]!).isEmpty);
  }

  /**
   * Takes over what the decoding host has found out; asks only for subscribers that it did not know yet.
   * @returns undefined when the table has changed between the changes
   */
  async #resolveFromDecisions(batch: Batch): Promise<BatchVisibility | undefined> {
    const { relation, changes, subscribers } = batch;
    const decisions = changes.flatMap(({ decision }) => decision ?? []);
    const [first] = decisions;
    if (first === undefined || decisions.length < changes.length) return undefined;
    if (decisions.some(({ metadata }) => metadata !== first.metadata)) return undefined;
    const metadata = this.#tables.store(relation.oid, subscribers.roles, first.metadata);
    const matching = await matchSubscribers(this.#filterEvaluator, batch, metadata);
    const { query, rowIndexOf } = visibilityQueryOf(batch, metadata, matching);
    const version = Math.min(...decisions.map((decision) => decision.version));
    const unknown = new Set(
      matching.flatMap((matched) => [...matched.identitiesUnknownAt(version)]),
    );
    const isUnknownVisible =
      unknown.size === 0
        ? () => false
        : await this.#visibility.resolve({
            ...query,
            identities: query.identities.filter((identity) => unknown.has(identity)),
          });
    const byRow = new Map(
      [...rowIndexOf].map(([change, rowIndex]) => [rowIndex, change.decision] as const),
    );
    const isVisible: RowVisibility = (identity, rowIndex) =>
      unknown.has(identity)
        ? isUnknownVisible(identity, rowIndex)
        : byRow.get(rowIndex)?.isVisible(identity.account) === true;
    return { metadata, matching, rowIndexOf, isVisible };
  }

  /**
   * Reads the table's metadata, then checks the rows.
   * @returns undefined when the table no longer exists
   */
  async #resolve(batch: Batch): Promise<BatchVisibility | undefined> {
    const { relation, changes, subscribers } = batch;
    const { roles } = subscribers;
    const metadata = await this.#tables.refresh(relation.oid, roles, transactionsOf(changes));
    if (metadata === undefined) return undefined;
    const matching = await matchSubscribers(this.#filterEvaluator, batch, metadata);
    const { query, rowIndexOf } = visibilityQueryOf(batch, metadata, matching);
    const isVisible = await this.#visibility.resolve(query);
    return { metadata, matching, rowIndexOf, isVisible };
  }

  /**
   * Does both in one query, assuming that the table has not changed since the last batch.
   * @returns undefined when it has changed, when authorizers cannot answer for everyone, or when Postgres has to
   *   evaluate a filter
   */
  async #resolveInOneQuery(batch: Batch): Promise<BatchVisibility | undefined> {
    const { oid } = batch.relation;
    const known = this.#tables.cached(oid);
    if (!known || !batch.subscribers.filters.every(({ isLocal }) => isLocal)) return undefined;
    const matching = await matchSubscribers(this.#filterEvaluator, batch, known);
    const { query, rowIndexOf } = visibilityQueryOf(batch, known, matching);
    const result = await this.#visibility.resolveWithMetadata(query);
    if (result === undefined) return undefined;
    if (this.#tables.store(oid, batch.subscribers.roles, result.metadata) !== known)
      return undefined;
    return { metadata: known, matching, rowIndexOf, isVisible: result.isVisible };
  }
}
