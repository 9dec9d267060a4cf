// Turns functions of the catalog into RPC endpoints, computed fields and computed relationships.

import type { Column, ComputedField, Relationship, Parameter, Relation, Routine } from "./model.ts";
import type { RoutineRow } from "./read-routines.ts";

const volatilities = { i: "immutable", s: "stable", v: "volatile" } as const;
const bodyTypes = new Set(["bytea", "json", "jsonb", "text", "xml"]);
/** Types whose modifier is lost in an argument list; without a modifier they would cut a value to one character. */
const typesWithoutModifier: Readonly<Record<string, string>> = {
  bit: "bit varying",
  "bit[]": "bit varying[]",
  character: "character varying",
  "character[]": "character varying[]",
};

/** Functions that requests can call, and computed relationships. */
export interface BuiltRoutines {
  callable: Routine[];
  relationships: Relationship[];
}

function settingOf(row: RoutineRow, name: string): string | undefined {
  return row.settings.find((setting) => setting.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A single unnamed parameter takes the whole body; several unnamed parameters cannot be passed by name. */
function isCallable(row: RoutineRow): boolean {
  const unnamed = row.parameters.filter(({ name }) => name === "");
  if (unnamed.length === 0) return true;
  return unnamed.length === 1 && bodyTypes.has(unnamed[0]?.type ?? "");
}

function asColumns(list: readonly { name: string; type: string }[]): Map<string, Column> {
  return new Map(
    list.map(({ name, type }) => [name, { name, type, baseType: type, default: null }]),
  );
}

function buildRoutine(row: RoutineRow, relation: Relation | undefined): Routine {
  const isRow = row.returnKind === "c" || row.outColumns.length > 0;
  const { oid, schema, name, returnsSet } = row;
  const parameters = row.parameters.map((parameter, at): Parameter => ({
    name: parameter.name,
    type: typesWithoutModifier[parameter.type] ?? parameter.type,
    required: at < row.requiredCount,
    variadic: parameter.mode === "v",
  }));
  // A single OUT parameter is a scalar to Postgres, but a row with one column to clients.
  const columns =
    row.outColumns.length > 0 ? asColumns(row.outColumns) : asColumns(row.compositeColumns);
  return {
    oid,
    schema,
    name,
    returnsSet,
    parameters,
    columns,
    relation: row.outColumns.length > 0 ? undefined : relation,
    volatility: volatilities[row.volatility],
    returns: row.returnName === "void" ? "void" : isRow ? "row" : "scalar",
    statementTimeout: settingOf(row, "statement_timeout"),
    isolation: settingOf(row, "default_transaction_isolation"),
  };
}

/**
 * Sorts functions into callable functions, computed fields (entered into `computed`) and computed relationships.
 * A function can be several of these.
 */
export function buildRoutines(
  rows: readonly RoutineRow[],
  schemas: readonly string[],
  byRowType: ReadonlyMap<number, Relation>,
  computed: ReadonlyMap<number, Map<string, ComputedField>>,
): BuiltRoutines {
  const built: BuiltRoutines = { callable: [], relationships: [] };
  for (const row of rows) {
    const returned = byRowType.get(row.returnType);
    if (schemas.includes(row.schema) && isCallable(row)) {
      built.callable.push(buildRoutine(row, returned));
    }
    const [only, ...others] = row.parameters;
    const over = only === undefined ? undefined : byRowType.get(only.typeOid);
    if (only === undefined || over === undefined || others.length > 0) continue;
    const field = { schema: row.schema, name: row.name, baseType: row.returnName };
    if (returned !== undefined) {
      const single = !row.returnsSet || row.rowEstimate === 1;
      built.relationships.push({
        kind: "computed",
        from: over,
        to: returned,
        function: field,
        single,
      });
    }
    if (!row.returnsSet) computed.get(only.typeOid)?.set(row.name, field);
  }
  return built;
}
