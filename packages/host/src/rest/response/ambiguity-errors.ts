// Builds the errors for ambiguous embeds and overloads without naming objects that are hidden from the caller.

import type { Pool } from "pg";
import type { Relationship, Routine } from "../schema-cache/model.ts";
import { RestError } from "../errors.ts";
import type { AmbiguousRelationship } from "../plan/find-relationship.ts";
import type { AmbiguousRoutine } from "../plan/find-routine.ts";

/** Which of the tables or functions the role may use. The others must not be named to it. */
async function accessibleTo(pool: Pool, role: string, kind: "table" | "function", oids: number[]) {
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

function describe(candidate: Relationship): {
  cardinality: string;
  relationship: string;
  hint: string;
} {
  if (candidate.kind === "computed") return { cardinality: "", relationship: "", hint: "" };
  if (candidate.kind === "many-to-many") {
    const [first, second] = candidate.constraints;
    const from = pairs(candidate.columns.map(([, column]) => column));
    const to = pairs(candidate.junctionColumns.map(([column]) => column));
    return {
      cardinality: candidate.kind,
      relationship: `${candidate.junction.name} using ${first}${from} and ${second}${to}`,
      hint: `'${candidate.to.name}!${candidate.junction.name}'`,
    };
  }
  const from = pairs(candidate.columns.map(([column]) => column));
  const to = pairs(candidate.columns.map(([, column]) => column));
  return {
    cardinality: candidate.kind,
    relationship: `${candidate.constraint} using ${candidate.from.name}${from} and ${candidate.to.name}${to}`,
    hint: `'${candidate.to.name}!${candidate.constraint}'`,
  };
}

/** PGRST201, listing the relationships whose tables the role may read. */
export async function ambiguousRelationshipError(
  error: AmbiguousRelationship,
  pool: Pool,
  role: string,
): Promise<RestError> {
  const involved = (candidate: Relationship) =>
    candidate.kind === "many-to-many"
      ? [candidate.to.oid, candidate.junction.oid]
      : [candidate.to.oid];
  const usable = await accessibleTo(pool, role, "table", error.candidates.flatMap(involved));
  const shown = error.candidates.filter((candidate) =>
    involved(candidate).every((oid) => usable.has(oid)),
  );
  const described = shown.map((candidate) => ({ candidate, ...describe(candidate) }));
  return new RestError(
    300,
    "PGRST201",
    `Could not embed because more than one relationship was found for '${error.from}' and '${error.target}'`,
    {
      details: described.map(({ candidate, cardinality, relationship }) => ({
        cardinality,
        embedding: `${candidate.from.name} with ${candidate.to.name}`,
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
export async function ambiguousRoutineError(
  error: AmbiguousRoutine,
  pool: Pool,
  role: string,
): Promise<RestError> {
  const oids = error.routines.map(({ oid }) => oid);
  const usable = await accessibleTo(pool, role, "function", oids);
  const shown = error.routines.filter(({ oid }) => usable.has(oid)).map(signature);
  const message = "Could not choose the best candidate function";
  if (shown.length === 0) return new RestError(300, "PGRST203", message);
  return new RestError(300, "PGRST203", `${message} between: ${shown.join(", ")}`, {
    hint: "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
  });
}
