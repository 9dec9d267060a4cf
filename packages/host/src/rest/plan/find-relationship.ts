import type { Catalogue, Link, Relation } from "../schema-cache/model.ts";
import { RestError } from "../errors.ts";

/** More than one way leads from one table to another; `links` are the candidates. */
export class AmbiguousLink extends Error {
  override readonly name = "AmbiguousLink";
  readonly from: string;
  readonly target: string;
  readonly links: readonly Link[];

  constructor(from: string, target: string, links: readonly Link[]) {
    super(`More than one relationship between ${from} and ${target}`);
    this.from = from;
    this.target = target;
    this.links = links;
  }
}

function isOnlyColumn(link: Link, side: 0 | 1, name: string): boolean {
  if (link.kind === "computed" || link.kind === "many-to-many") return false;
  return link.columns.length === 1 && link.columns[0]?.[side] === name;
}

function isConstraint(link: Link, name: string): boolean {
  return "constraint" in link && link.constraint === name;
}

/** A table that refers to itself: its own name leads to the children, the column to the parent. */
function matchesSelf(link: Link, target: string, hint: string | undefined): boolean {
  const toMany = link.kind === "one-to-many" && target === link.to.name;
  if (hint !== undefined) return toMany && isOnlyColumn(link, 1, hint);
  return toMany || (link.kind === "many-to-one" && isOnlyColumn(link, 0, target));
}

function matches(link: Link, target: string, hint: string | undefined): boolean {
  if (link.kind === "computed") return link.function.name === target;
  if (link.from === link.to) return matchesSelf(link, target, hint);
  if (hint === undefined) {
    if (target === link.to.name) return true;
    return !link.to.isView && (isConstraint(link, target) || isOnlyColumn(link, 0, target));
  }
  if (target !== link.to.name) return false;
  return (
    isConstraint(link, hint) ||
    isOnlyColumn(link, 0, hint) ||
    isOnlyColumn(link, 1, hint) ||
    (link.kind === "many-to-many" && link.junction.name === hint)
  );
}

/**
 * Finds the way from a table to what an embed names, by table, constraint or column.
 * @throws {RestError} PGRST200 when there is none
 * @throws {AmbiguousLink} when there are several
 */
export function findLink(
  catalogue: Catalogue,
  from: { relation: Relation | undefined; label: string; schema: string },
  target: string,
  hint: string | undefined,
): Link {
  const links = from.relation === undefined ? [] : (catalogue.links.get(from.relation) ?? []);
  const found = links.filter((link) => matches(link, target, hint));
  // A function made for the purpose says what is meant.
  const computed = found.find((link) => link.kind === "computed");
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
  if (second !== undefined) throw new AmbiguousLink(from.label, target, found);
  return first;
}
