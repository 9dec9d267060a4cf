// Decides which foreign key or computed relationship an embed such as `books!author_id(*)` means.

import type { SchemaCache, Relationship, Relation } from "../schema-cache/model.ts";
import { RestError } from "../errors.ts";

/** More than one relationship matches an embed; `candidates` lists them. */
export class AmbiguousRelationship extends Error {
  override readonly name = "AmbiguousRelationship";
  readonly from: string;
  readonly target: string;
  readonly candidates: readonly Relationship[];

  constructor(from: string, target: string, candidates: readonly Relationship[]) {
    super(`More than one relationship between ${from} and ${target}`);
    this.from = from;
    this.target = target;
    this.candidates = candidates;
  }
}

function isOnlyColumn(candidate: Relationship, side: 0 | 1, name: string): boolean {
  if (candidate.kind === "computed" || candidate.kind === "many-to-many") return false;
  return candidate.columns.length === 1 && candidate.columns[0]?.[side] === name;
}

function isConstraint(candidate: Relationship, name: string): boolean {
  return "constraint" in candidate && candidate.constraint === name;
}

/** For a table that references itself: the table name selects the children, the column name the parent. */
function matchesSelf(candidate: Relationship, target: string, hint: string | undefined): boolean {
  const toMany = candidate.kind === "one-to-many" && target === candidate.to.name;
  if (hint !== undefined) return toMany && isOnlyColumn(candidate, 1, hint);
  return toMany || (candidate.kind === "many-to-one" && isOnlyColumn(candidate, 0, target));
}

function matches(candidate: Relationship, target: string, hint: string | undefined): boolean {
  if (candidate.kind === "computed") return candidate.function.name === target;
  if (candidate.from === candidate.to) return matchesSelf(candidate, target, hint);
  if (hint === undefined) {
    if (target === candidate.to.name) return true;
    return (
      !candidate.to.isView &&
      (isConstraint(candidate, target) || isOnlyColumn(candidate, 0, target))
    );
  }
  if (target !== candidate.to.name) return false;
  return (
    isConstraint(candidate, hint) ||
    isOnlyColumn(candidate, 0, hint) ||
    isOnlyColumn(candidate, 1, hint) ||
    (candidate.kind === "many-to-many" && candidate.junction.name === hint)
  );
}

/**
 * Finds the relationship from a table to an embed, which names a table, a constraint or a column.
 * @throws {RestError} PGRST200 when there is none
 * @throws {AmbiguousRelationship} when there are several
 */
export function findRelationship(
  schemaCache: SchemaCache,
  from: { relation: Relation | undefined; label: string; schema: string },
  target: string,
  hint: string | undefined,
): Relationship {
  const candidates =
    from.relation === undefined ? [] : (schemaCache.relationships.get(from.relation) ?? []);
  const found = candidates.filter((candidate) => matches(candidate, target, hint));
  // A computed relationship overrides those of foreign keys.
  const computed = found.find((candidate) => candidate.kind === "computed");
  const [first, second] = found;
  if (computed !== undefined) return computed;
  if (first === undefined) {
    const using = hint === undefined ? "" : ` using the hint '${hint}'`;
    throw new RestError(
      400,
      "PGRST200",
      `Could not find a relationship between '${from.label}' and '${target}' in the schema cache`,
      {
        details: `Searched for a foreign key relationship between '${from.label}' and '${target}'${using} in the schema '${from.schema}', but no matches were found.`,
      },
    );
  }
  if (second !== undefined) throw new AmbiguousRelationship(from.label, target, found);
  return first;
}
