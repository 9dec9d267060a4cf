// Derives from foreign keys what can embed what, views and join tables included.

import type { ColumnPair, Relationship, Relation } from "./model.ts";
import type { ForeignKeyRow } from "./read-relations.ts";
import type { ColumnOrigin } from "./view-columns.ts";

/** A relation with its column names by attribute number. */
export interface NumberedRelation {
  relation: Relation;
  names: ReadonlyMap<number, string>;
}

/** One end of a relationship: a table or view that has all columns of a key, in the order of the key. */
interface RelationshipEnd {
  relation: Relation;
  columns: readonly string[];
}

const maxKeyVariants = 8;

/** The Cartesian product: [[a, b], [c]] gives [a, c] and [b, c]. */
function combinations(choices: readonly (readonly string[])[]): string[][] {
  let result: string[][] = [[]];
  for (const options of choices) {
    result = result.flatMap((head) => options.map((option) => [...head, option]));
    // More variants of a view that repeats its key columns would only add ambiguity.
    if (result.length > maxKeyVariants) return result.slice(0, maxKeyVariants);
  }
  return result;
}

/** Returns a function that finds the relations that have given columns of a table: the table, and views that show them. */
export function relationshipEnds(
  relations: ReadonlyMap<number, NumberedRelation>,
  views: ReadonlyMap<number, readonly ColumnOrigin[]>,
): (table: number, columns: readonly number[]) => RelationshipEnd[] {
  const viewsOf = new Map<number, Set<number>>();
  for (const [view, origins] of views) {
    for (const { table } of origins) {
      viewsOf.set(table, (viewsOf.get(table) ?? new Set()).add(view));
    }
  }
  return (table, columns) => {
    const ends: RelationshipEnd[] = [];
    const own = relations.get(table);
    if (own !== undefined) {
      const names = columns.map((number) => own.names.get(number) ?? "");
      ends.push({ relation: own.relation, columns: names });
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
        ends.push({ relation: view.relation, columns: names });
      }
    }
    return ends;
  };
}

function flip(pairs: readonly ColumnPair[]): ColumnPair[] {
  return pairs.map(([from, to]) => [to, from]);
}

/** Relationships that follow from foreign keys: in both directions, through views, and across join tables. */
export function foreignKeyRelationships(
  keys: readonly ForeignKeyRow[],
  ends: (table: number, columns: readonly number[]) => RelationshipEnd[],
): Relationship[] {
  const forward = keys.flatMap((key) => {
    const targets = ends(key.to, key.toColumns);
    return ends(key.from, key.fromColumns).flatMap((source) =>
      targets.map((target) => ({
        kind: key.unique ? ("one-to-one" as const) : ("many-to-one" as const),
        from: source.relation,
        to: target.relation,
        constraint: key.constraint,
        columns: source.columns.map((name, at): ColumnPair => [name, target.columns[at] ?? ""]),
      })),
    );
  });
  const backward = forward.map((relationship) => ({
    ...relationship,
    kind: relationship.kind === "many-to-one" ? ("one-to-many" as const) : ("one-to-one" as const),
    from: relationship.to,
    to: relationship.from,
    columns: flip(relationship.columns),
  }));
  return [...forward, ...backward, ...manyToManyRelationships(forward)];
}

type KeyRelationship = Extract<Relationship, { constraint: string }>;

/** A table whose primary key contains two foreign keys is a join table of the tables they reference. */
function manyToManyRelationships(forward: readonly KeyRelationship[]): Relationship[] {
  const byTable = new Map<Relation, KeyRelationship[]>();
  for (const relationship of forward) {
    if (relationship.kind !== "many-to-one") continue;
    byTable.set(relationship.from, [...(byTable.get(relationship.from) ?? []), relationship]);
  }
  const relationships: Relationship[] = [];
  for (const [junction, parents] of byTable) {
    const key = new Set(junction.primaryKey);
    const inKey = parents.filter((relationship) =>
      relationship.columns.every(([column]) => key.has(column)),
    );
    for (const one of inKey) {
      for (const other of inKey) {
        if (one.constraint === other.constraint) continue;
        relationships.push({
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
  return relationships;
}
