import type { Queryable } from "../../postgres/database.ts";
import type { CompiledFilter } from "./compile-filter.ts";
import type { SettledChange } from "./deliver.ts";
import { positionsIn, Tables, type TableFacts } from "./describe-table.ts";
import type { FilterVerdicts } from "./filter-verdicts.ts";
import type { Relation, RowChange } from "./pgoutput.ts";
import { renderChanges } from "./render.ts";
import type { Sight, Viewer } from "./sight-sql.ts";
import type { Subscription } from "./subscriptions.ts";
import type { SightQuestion, Visibility } from "./visibility.ts";

const NOBODY: Sight = new Map();

/** A subscription and as whom it is asked for: a token may be refreshed meanwhile, and a verdict is one account's. */
interface Listener {
  subscription: Subscription;
  viewer: Viewer;
}

/** Changes to one table, and whoever listens to it. */
interface Batch {
  relation: Relation;
  changes: readonly RowChange[];
  listeners: readonly Listener[];
  /** The roles of the listeners. */
  roles: readonly string[];
}

function isSameAccount(a: Viewer, b: Viewer): boolean {
  return a === b || (a.role === b.role && a.subject === b.subject);
}

/** Roles that may select the whole key; the others are told so, and row-level security is not asked. */
function keyReaders(facts: TableFacts): ReadonlySet<string> {
  const key = facts.columns.filter((column) => column.isKey);
  const readers = [...facts.selectable].filter(([, allowed]) =>
    key.every((column) => allowed.has(column.name)),
  );
  return new Set(readers.map(([role]) => role));
}

/** True when row-level security decides at all: there is some, and there are keys to ask about. */
function isDecided(facts: TableFacts): boolean {
  return facts.isGuarded && facts.columns.some((column) => column.isKey);
}

function filtersOf({ listeners }: Batch): CompiledFilter[] {
  const filters = new Map<string, CompiledFilter>();
  for (const { subscription } of listeners) {
    if (subscription.filter) filters.set(subscription.filter.text, subscription.filter);
  }
  return [...filters.values()];
}

/** Who passes event and filter of each change, before anybody's rights are looked at. */
async function findInterested(
  verdicts: FilterVerdicts,
  batch: Batch,
  facts: TableFacts,
): Promise<Listener[][]> {
  const { relation, changes, listeners } = batch;
  const tuples = changes.map((change) => change.record ?? change.old);
  const passed = await verdicts.passed(relation, facts, tuples, filtersOf(batch));
  return changes.map((change, at) =>
    listeners.filter(
      ({ subscription: { event, filter } }) =>
        (event === "*" || event === change.type) &&
        (filter === undefined || passed[at]?.has(filter.text) === true),
    ),
  );
}

/** What row-level security is asked about a batch, and the place of each change among the rows asked about. */
function questionOf(
  { relation, changes, roles }: Batch,
  facts: TableFacts,
  interested: readonly (readonly Listener[])[],
): { question: SightQuestion; rowOf: ReadonlyMap<RowChange, number> } {
  const positions = positionsIn(relation);
  const key = facts.columns.filter((column) => column.isKey);
  const allowed = keyReaders(facts);
  const viewers = new Set<Viewer>();
  const rowOf = new Map<RowChange, number>();
  const rows: (string | null)[][] = [];
  for (const [at, change] of changes.entries()) {
    const listeners = interested[at] ?? [];
    if (change.type === "DELETE" || listeners.length === 0 || !isDecided(facts)) continue;
    rowOf.set(change, rows.length);
    rows.push(key.map((column) => change.record?.[positions.get(column.name) ?? -1] ?? null));
    for (const { viewer } of listeners) if (allowed.has(viewer.role)) viewers.add(viewer);
  }
  const question = {
    oid: relation.oid,
    roles,
    keys: { schema: relation.schema, table: relation.table, key, rows },
    viewers: [...viewers],
    readers: facts.readers,
    transactions: transactionsOf(changes),
  };
  return { question, rowOf };
}

/** What the table is, who is interested in each change, and who sees which rows. */
interface Look {
  facts: TableFacts;
  interested: readonly (readonly Listener[])[];
  /** The place of each change that was asked about among the rows seen. */
  rowOf: ReadonlyMap<RowChange, number>;
  sight: Sight;
}

function transactionsOf(changes: readonly RowChange[]): number[] {
  return [...new Set(changes.map((change) => change.transaction))];
}

/** Finds out who is to be told of changes, and what. */
export class Settler {
  readonly #db: Queryable;
  readonly #tables: Tables;
  readonly #verdicts: FilterVerdicts;
  readonly #visibility: Visibility;

  constructor(db: Queryable, verdicts: FilterVerdicts, visibility: Visibility) {
    this.#db = db;
    this.#tables = new Tables(db);
    this.#verdicts = verdicts;
    this.#visibility = visibility;
  }

  /**
   * Settles changes to one table. Rights are those of this moment: a member demoted before it sees nothing of
   * a change made earlier, as on hosted projects.
   */
  async settle(
    relation: Relation,
    changes: readonly RowChange[],
    subscriptions: readonly Subscription[],
  ): Promise<SettledChange[]> {
    const listeners = subscriptions.map((subscription) => ({
      subscription,
      viewer: subscription.subscriber.viewer,
    }));
    const roles = [...new Set(listeners.map(({ viewer }) => viewer.role))].toSorted();
    const batch = { relation, changes, listeners, roles };
    const look = (await this.#lookAtOnce(batch)) ?? (await this.#look(batch));
    if (look === undefined) return [];
    const { facts, interested, rowOf, sight } = look;
    const rendered = await renderChanges(this.#db, relation, facts, changes);
    const allowed = keyReaders(facts);
    const isChecked = isDecided(facts);
    return changes.flatMap((change, at) => {
      const json = rendered[at];
      if (json === undefined) return [];
      const row = rowOf.get(change) ?? -1;
      const isGone = change.type === "DELETE";
      const told = (interested[at] ?? []).filter(({ subscription: { subscriber }, viewer }) => {
        if (!isSameAccount(viewer, subscriber.viewer)) return false;
        const isUnchecked = isGone || !isChecked || !allowed.has(viewer.role);
        return isUnchecked || sight.get(viewer)?.has(row) === true;
      });
      const subscriptions = told.map(({ subscription }) => subscription);
      return told.length === 0 ? [] : [{ change, facts, rendered: json, told: subscriptions }];
    });
  }

  /**
   * Asks what the table is, then about the rows.
   * @returns undefined when the table is gone
   */
  async #look(batch: Batch): Promise<Look | undefined> {
    const { relation, changes, roles } = batch;
    const facts = await this.#tables.describe(relation.oid, roles, transactionsOf(changes));
    if (facts === undefined) return undefined;
    const interested = await findInterested(this.#verdicts, batch, facts);
    const { question, rowOf } = questionOf(batch, facts, interested);
    const sight = question.viewers.length > 0 ? await this.#visibility.see(question) : NOBODY;
    return { facts, interested, rowOf, sight };
  }

  /**
   * Asks both in one question, as if the table were what it was for the batch before; mostly it is.
   * @returns undefined when it is not, or readers cannot answer for everybody, or Postgres has to be asked about filters
   */
  async #lookAtOnce(batch: Batch): Promise<Look | undefined> {
    const { oid } = batch.relation;
    const known = this.#tables.last(oid);
    if (!known || !filtersOf(batch).every(({ isQuick }) => isQuick)) return undefined;
    const interested = await findInterested(this.#verdicts, batch, known);
    const { question, rowOf } = questionOf(batch, known, interested);
    const answer = await this.#visibility.seeAtOnce(question);
    if (!answer || this.#tables.note(oid, batch.roles, answer.facts) !== known) return undefined;
    return { facts: known, interested, rowOf, sight: answer.sight };
  }
}
