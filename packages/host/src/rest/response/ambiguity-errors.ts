import type { Pool } from "pg";
import type { Link, Routine } from "../schema-cache/model.ts";
import { RestError } from "../errors.ts";
import type { AmbiguousLink } from "../plan/find-relationship.ts";
import type { AmbiguousRoutine } from "../plan/find-routine.ts";

/** Which of the tables and functions a role may use at all; the others are not named to it. */
async function usableBy(pool: Pool, role: string, kind: "table" | "function", oids: number[]) {
  const test =
    kind === "table"
      ? "has_table_privilege($1, oid, 'select') or has_any_column_privilege($1, oid, 'select')"
      : "has_function_privilege($1, oid, 'execute')";
  const { rows } = await pool.query<{ oid: number }>(
    `select oid::int8::float8 as oid from unnest($2::oid[]) as oid where ${test}`,
    [role, oids],
  );
  return new Set(rows.map(({ oid }) => oid));
}

function pairs(columns: readonly string[]): string {
  return `(${columns.join(", ")})`;
}

function describe(link: Link): { cardinality: string; relationship: string; hint: string } {
  if (link.kind === "computed") return { cardinality: "", relationship: "", hint: "" };
  if (link.kind === "many-to-many") {
    const [first, second] = link.constraints;
    const from = pairs(link.columns.map(([, column]) => column));
    const to = pairs(link.junctionColumns.map(([column]) => column));
    return {
      cardinality: link.kind,
      relationship: `${link.junction.name} using ${first}${from} and ${second}${to}`,
      hint: `'${link.to.name}!${link.junction.name}'`,
    };
  }
  const from = pairs(link.columns.map(([column]) => column));
  const to = pairs(link.columns.map(([, column]) => column));
  return {
    cardinality: link.kind,
    relationship: `${link.constraint} using ${link.from.name}${from} and ${link.to.name}${to}`,
    hint: `'${link.to.name}!${link.constraint}'`,
  };
}

/** PGRST201, listing the ways whose tables the role may read. */
export async function ambiguousLink(
  error: AmbiguousLink,
  pool: Pool,
  role: string,
): Promise<RestError> {
  const involved = (link: Link) =>
    link.kind === "many-to-many" ? [link.to.oid, link.junction.oid] : [link.to.oid];
  const usable = await usableBy(pool, role, "table", error.links.flatMap(involved));
  const shown = error.links.filter((link) => involved(link).every((oid) => usable.has(oid)));
  const described = shown.map((link) => ({ link, ...describe(link) }));
  return new RestError(
    300,
    "PGRST201",
    `Could not embed because more than one relationship was found for '${error.from}' and '${error.target}'`,
    {
      details: described.map(({ link, cardinality, relationship }) => ({
        cardinality,
        embedding: `${link.from.name} with ${link.to.name}`,
        relationship,
      })),
      hint:
        described.length === 0
          ? null
          : `Try changing '${error.target}' to one of the following: ${described.map(({ hint }) => hint).join(", ")}. Find the desired relationship in the 'details' key.`,
    },
  );
}

function signature({ schema, name, parameters }: Routine): string {
  const list = parameters.map((parameter) => `${parameter.name} => ${parameter.type}`);
  return `${schema}.${name}(${list.join(", ")})`;
}

/** PGRST203, listing the functions the role may call. */
export async function ambiguousRoutine(
  error: AmbiguousRoutine,
  pool: Pool,
  role: string,
): Promise<RestError> {
  const oids = error.routines.map(({ oid }) => oid);
  const usable = await usableBy(pool, role, "function", oids);
  const shown = error.routines.filter(({ oid }) => usable.has(oid)).map(signature);
  const message = "Could not choose the best candidate function";
  if (shown.length === 0) return new RestError(300, "PGRST203", message);
  return new RestError(300, "PGRST203", `${message} between: ${shown.join(", ")}`, {
    hint: "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
  });
}
