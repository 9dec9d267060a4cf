import type { ColumnPair, Link, Relation } from "./model.ts";
import type { ForeignKeyRow } from "./read-relations.ts";
import type { ColumnOrigin } from "./view-columns.ts";

/** A relation with the names of its columns by number. */
export interface NumberedRelation {
  relation: Relation;
  names: ReadonlyMap<number, string>;
}

/** A table or view that has all columns of a key, with their names in the order of the key. */
interface Bearer {
  relation: Relation;
  columns: readonly string[];
}

const MOST_VARIANTS = 8;

/** Every way to take one of each: [[a, b], [c]] gives [a, c] and [b, c]. */
function combinations(choices: readonly (readonly string[])[]): string[][] {
  let result: string[][] = [[]];
  for (const options of choices) {
    result = result.flatMap((head) => options.map((option) => [...head, option]));
    // A view that repeats its key columns many times offers no more meaning, only more ambiguity.
    if (result.length > MOST_VARIANTS) return result.slice(0, MOST_VARIANTS);
  }
  return result;
}

/** Finds everything that can stand for columns of a table: the table itself, and views that show them. */
export function bearersOf(
  relations: ReadonlyMap<number, NumberedRelation>,
  views: ReadonlyMap<number, readonly ColumnOrigin[]>,
): (table: number, columns: readonly number[]) => Bearer[] {
  const viewsOf = new Map<number, Set<number>>();
  for (const [view, origins] of views) {
    for (const { table } of origins) {
      viewsOf.set(table, (viewsOf.get(table) ?? new Set()).add(view));
    }
  }
  return (table, columns) => {
    const bearers: Bearer[] = [];
    const own = relations.get(table);
    if (own !== undefined) {
      const names = columns.map((number) => own.names.get(number) ?? "");
      bearers.push({ relation: own.relation, columns: names });
    }
    for (const oid of viewsOf.get(table) ?? []) {
      const view = relations.get(oid);
      if (view === undefined) continue;
      const origins = (views.get(oid) ?? []).filter((origin) => origin.table === table);
      const choices = columns.map((number) =>
        origins
          .filter(({ source }) => source === number)
          .flatMap(({ column }) => view.names.get(column) ?? []),
      );
      if (choices.some((options) => options.length === 0)) continue;
      for (const names of combinations(choices)) {
        bearers.push({ relation: view.relation, columns: names });
      }
    }
    return bearers;
  };
}

function flip(pairs: readonly ColumnPair[]): ColumnPair[] {
  return pairs.map(([from, to]) => [to, from]);
}

/** Links that follow from foreign keys: both ways, through views, and across join tables. */
export function linksOfKeys(
  keys: readonly ForeignKeyRow[],
  bearers: (table: number, columns: readonly number[]) => Bearer[],
): Link[] {
  const forward = keys.flatMap((key) => {
    const targets = bearers(key.to, key.toColumns);
    return bearers(key.from, key.fromColumns).flatMap((source) =>
      targets.map((target) => ({
        kind: key.unique ? ("one-to-one" as const) : ("many-to-one" as const),
        from: source.relation,
        to: target.relation,
        constraint: key.constraint,
        columns: source.columns.map((name, at): ColumnPair => [name, target.columns[at] ?? ""]),
      })),
    );
  });
  const backward = forward.map((link) => ({
    ...link,
    kind: link.kind === "many-to-one" ? ("one-to-many" as const) : ("one-to-one" as const),
    from: link.to,
    to: link.from,
    columns: flip(link.columns),
  }));
  return [...forward, ...backward, ...acrossJunctions(forward)];
}

type KeyLink = Extract<Link, { constraint: string }>;

/** A table whose primary key holds two foreign keys joins what they point at. */
function acrossJunctions(forward: readonly KeyLink[]): Link[] {
  const byTable = new Map<Relation, KeyLink[]>();
  for (const link of forward) {
    if (link.kind !== "many-to-one") continue;
    byTable.set(link.from, [...(byTable.get(link.from) ?? []), link]);
  }
  const links: Link[] = [];
  for (const [junction, parents] of byTable) {
    const key = new Set(junction.primaryKey);
    const inKey = parents.filter((link) => link.columns.every(([column]) => key.has(column)));
    for (const one of inKey) {
      for (const other of inKey) {
        if (one.constraint === other.constraint) continue;
        links.push({
          kind: "many-to-many",
          from: one.to,
          to: other.to,
          junction,
          constraints: [one.constraint, other.constraint],
          columns: flip(one.columns),
          junctionColumns: other.columns,
        });
      }
    }
  }
  return links;
}
