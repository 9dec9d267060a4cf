// Picks the overload of a function that an RPC call means, by the names of its arguments.

import type { SchemaCache, Parameter, Routine } from "../schema-cache/model.ts";
import { RestError } from "../errors.ts";

/** More than one function accepts these arguments; `routines` lists them. */
export class AmbiguousRoutine extends Error {
  override readonly name = "AmbiguousRoutine";
  readonly routines: readonly Routine[];

  constructor(routines: readonly Routine[]) {
    super("More than one function takes these arguments");
    this.routines = routines;
  }
}

/** How a function is called. `body` is the type of a request body that may be the only argument. */
export interface CallShape {
  schema: string;
  name: string;
  argumentNames: readonly string[];
  body: "json" | "text" | "bytea" | "xml" | undefined;
}

function takesNames(parameters: readonly Parameter[], shape: CallShape): boolean {
  const given = new Set(shape.argumentNames);
  if (parameters.length === 0) {
    return given.size === 0 && (shape.body === undefined || shape.body === "json");
  }
  const known = new Set(parameters.map(({ name }) => name));
  return (
    [...given].every((name) => known.has(name)) &&
    parameters.every(({ name, required }) => !required || given.has(name))
  );
}

function takesBody(parameters: readonly Parameter[], shape: CallShape): boolean {
  const [only, ...others] = parameters;
  if (shape.body === undefined || only?.name !== "" || others.length > 0) return false;
  return shape.body === "json" ? /^jsonb?$/.test(only.type) : only.type === shape.body;
}

/** Orders overloads as PostgREST lists them: fewer parameters first, then by the names and types of the parameters. */
function compareRoutines(a: Routine, b: Routine): number {
  const text = ({ parameters }: Routine) =>
    parameters.map(({ name, type }) => `${name} ${type}`).join(",");
  const [first, second] = [text(a), text(b)];
  return (
    a.parameters.length - b.parameters.length || (first < second ? -1 : first > second ? 1 : 0)
  );
}

function routineNotFound(shape: CallShape): RestError {
  const name = `${shape.schema}.${shape.name}`;
  const names = shape.argumentNames.join(", ");
  const alone = shape.body !== undefined && shape.body !== "json";
  const inMessage = alone
    ? ""
    : shape.argumentNames.length === 0
      ? " without parameters"
      : `(${names})`;
  const plural = shape.argumentNames.length > 1 ? "s" : "";
  const inDetails = alone
    ? ` with a single unnamed ${shape.body} parameter`
    : shape.argumentNames.length === 0
      ? " without parameters"
      : ` with parameter${plural} ${names}`;
  const orBody = shape.body === "json" ? " or with a single unnamed json/jsonb parameter" : "";
  return new RestError(
    404,
    "PGRST202",
    `Could not find the function ${name}${inMessage} in the schema cache`,
    {
      details: `Searched for the function ${name}${inDetails}${orBody}, but no matches were found in the schema cache.`,
    },
  );
}

/**
 * Chooses the function whose parameters match the arguments. One that takes the whole body is tried last.
 * @throws {RestError} PGRST202
 * @throws {AmbiguousRoutine}
 */
export function findRoutine(schemaCache: SchemaCache, shape: CallShape): Routine {
  const overloads = schemaCache.routines.get(shape.schema)?.get(shape.name) ?? [];
  const named = overloads.filter(({ parameters }) => takesNames(parameters, shape));
  const found =
    named.length > 0 ? named : overloads.filter(({ parameters }) => takesBody(parameters, shape));
  const [routine, other] = found;
  if (routine === undefined) throw routineNotFound(shape);
  if (other !== undefined) throw new AmbiguousRoutine(found.toSorted(compareRoutines));
  return routine;
}
