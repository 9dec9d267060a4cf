import type { Queryable } from "../../postgres/database.ts";
import type { CompiledFilter } from "./compile-filter.ts";
import type { SettledChange } from "./deliver.ts";
import { describeTable, positionsIn, type TableFacts } from "./describe-table.ts";
import type { FilterVerdicts } from "./filter-verdicts.ts";
import type { Relation, RowChange } from "./pgoutput.ts";
import { renderChanges } from "./render.ts";
import type { Sight, Viewer } from "./sight-sql.ts";
import type { Subscription } from "./subscriptions.ts";
import type { Visibility } from "./visibility.ts";

const NO_ROWS: ReadonlySet<number> = new Set();

/** What is known of a subscriber for one batch of changes. */
interface Standing {
  viewer: Viewer;
  /** True when row-level security is not asked: there is none, or only an error will be told. */
  isUnchecked: boolean;
  /** Places of the rows row-level security shows. */
  sees: ReadonlySet<number>;
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

/** Who passes event and filter of each change, before anybody's rights are looked at. */
async function findInterested(
  verdicts: FilterVerdicts,
  relation: Relation,
  facts: TableFacts,
  changes: readonly RowChange[],
  subscriptions: readonly Subscription[],
): Promise<Subscription[][]> {
  const filters = new Map<string, CompiledFilter>();
  for (const { filter } of subscriptions) if (filter) filters.set(filter.text, filter);
  const tuples = changes.map((change) => change.record ?? change.old);
  const passed = await verdicts.passed(relation, facts, tuples, [...filters.values()]);
  return changes.map((change, at) =>
    subscriptions.filter(
      ({ event, filter }) =>
        (event === "*" || event === change.type) &&
        (filter === undefined || passed[at]?.has(filter.text) === true),
    ),
  );
}

async function askSight(
  visibility: Visibility,
  relation: Relation,
  facts: TableFacts,
  changes: readonly RowChange[],
  interested: readonly Subscription[][],
): Promise<{
  sight: Sight;
  rowOf: ReadonlyMap<RowChange, number>;
  viewers: ReadonlyMap<string, Viewer>;
}> {
  const positions = positionsIn(relation);
  const key = facts.columns.filter((column) => column.isKey);
  const readers = keyReaders(facts);
  const viewers = new Map<string, Viewer>();
  const rowOf = new Map<RowChange, number>();
  const rows: (string | null)[][] = [];
  for (const [at, change] of changes.entries()) {
    const listeners = interested[at] ?? [];
    if (change.type === "DELETE" || listeners.length === 0) continue;
    rowOf.set(change, rows.length);
    rows.push(key.map((column) => change.record?.[positions.get(column.name) ?? -1] ?? null));
    for (const { subscriber } of listeners) {
      const { viewer } = subscriber;
      if (readers.has(viewer.role)) viewers.set(viewer.key, viewer);
    }
  }
  const isNeeded = facts.isGuarded && key.length > 0 && viewers.size > 0;
  const sight: Sight = isNeeded
    ? await visibility.see(
        { schema: relation.schema, table: relation.table, key, rows },
        [...viewers.values()],
        facts.readers,
      )
    : new Map();
  return { sight, rowOf, viewers };
}

/**
 * Finds out who is to be told of each change to one table, and what. Rights are those of this moment: a
 * member demoted before it sees nothing of a change made earlier, as on hosted projects.
 */
export async function settleChanges(
  db: Queryable,
  verdicts: FilterVerdicts,
  visibility: Visibility,
  relation: Relation,
  changes: readonly RowChange[],
  subscriptions: readonly Subscription[],
): Promise<SettledChange[]> {
  const roles = new Set(subscriptions.map(({ subscriber }) => subscriber.viewer.role));
  const transactions = changes.map((change) => change.transaction);
  const facts = await describeTable(db, relation.oid, [...roles], transactions);
  if (facts === undefined) return [];
  // A token may be refreshed while we ask; a verdict holds for the same account only.
  const asked = new Map(subscriptions.map((one) => [one, one.subscriber.viewer]));
  const interested = await findInterested(verdicts, relation, facts, changes, subscriptions);
  const [{ sight, rowOf, viewers }, rendered] = await Promise.all([
    askSight(visibility, relation, facts, changes, interested),
    renderChanges(db, relation, facts, changes),
  ]);
  const hasKey = facts.columns.some((column) => column.isKey);
  const readers = keyReaders(facts);
  const standings = new Map<Subscription, Standing>();
  for (const [subscription, viewer] of asked) {
    const same = viewers.get(viewer.key);
    standings.set(subscription, {
      viewer,
      isUnchecked: !facts.isGuarded || !hasKey || !readers.has(viewer.role),
      sees: (same && sight.get(same)) ?? NO_ROWS,
    });
  }
  return changes.flatMap((change, at) => {
    const known = rendered[at];
    if (known === undefined) return [];
    const row = rowOf.get(change) ?? -1;
    const isGone = change.type === "DELETE";
    const told = (interested[at] ?? []).filter((subscription) => {
      const standing = standings.get(subscription);
      if (!standing || !isSameAccount(standing.viewer, subscription.subscriber.viewer))
        return false;
      return isGone || standing.isUnchecked || standing.sees.has(row);
    });
    return told.length === 0 ? [] : [{ change, facts, rendered: known, told }];
  });
}
