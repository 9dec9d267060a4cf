// Writes the SQL of a function call, with arguments from a URL, a form or a body.

import type { Parameter, Routine } from "../schema-cache/model.ts";
import type { RequestPayload } from "../request/body.ts";
import { invalidBody } from "../errors.ts";
import type { SqlContext } from "./fields.ts";
import { arrayLiteral, qualifiedName, quoteName } from "./values.ts";

function parameterOf(routine: Routine, name: string): Parameter | undefined {
  return routine.parameters.find((parameter) => parameter.name === name);
}

/** Arguments given as text in a URL or a form; a variadic argument may be given many times. */
function textArguments(
  routine: Routine,
  pairs: readonly (readonly [string, string])[],
  context: SqlContext,
): string {
  const given = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = given.get(name) ?? [];
    values.push(value);
    given.set(name, values);
  }
  return [...given]
    .map(([name, values]) => {
      const parameter = parameterOf(routine, name);
      const variadic = parameter?.variadic === true;
      const last = values.at(-1) ?? "";
      const isArray = values.length === 1 && /^\{.*\}$/s.test(last);
      const value = variadic && !isArray ? arrayLiteral(values) : last;
      const sql = `${context.values.add(value)}::${parameter?.type ?? "text"}`;
      // A function has at most one parameter without a name, which is passed by position.
      const label = name === "" ? "" : `${quoteName(name)} => `;
      return `${variadic ? "variadic " : ""}${label}${sql}`;
    })
    .join(", ");
}

/**
 * The argument of a function whose only parameter has no name: JSON takes the whole body, any other type the value of
 * the empty key, as in `{"": "text"}`. Empty when the body has no such key and the parameter a default.
 */
function unnamedArgument(
  { type }: Parameter,
  args: RequestPayload & { kind: "json" },
  context: SqlContext,
): string {
  const takesWhole = type === "json" || type === "jsonb";
  if (!takesWhole && !args.keys.includes("")) return "";
  const body = context.values.add(args.text);
  if (takesWhole) return `${body}::${type}`;
  const row = args.single ? `${body}::json` : `${body}::json -> 0`;
  return `(${row} ->> '')::${type}`;
}

/** The call and the FROM item its arguments come from. */
function callFrom(
  routine: Routine,
  args: RequestPayload | readonly (readonly [string, string])[],
  context: SqlContext,
): { before: string; call: string } {
  const call = (list: string) => `${qualifiedName(routine)}(${list})`;
  if (!("kind" in args)) return { before: "", call: call(textArguments(routine, args, context)) };
  if (args.kind === "form") {
    return { before: "", call: call(textArguments(routine, args.fields, context)) };
  }
  const [only] = routine.parameters;
  if (args.kind === "raw") {
    return { before: "", call: call(`${context.values.add(args.value)}::${only?.type ?? "text"}`) };
  }
  if (only?.name === "") return { before: "", call: call(unnamedArgument(only, args, context)) };
  if (args.keys.length === 0) return { before: "", call: call("") };
  if (!args.single && args.text === "[]") throw invalidBody("Empty or invalid json");
  const named = args.keys.flatMap((name) => parameterOf(routine, name) ?? []);
  const types = named.map(({ name, type }) => `${quoteName(name)} ${type}`).join(", ");
  const reader = args.single ? "json_to_record" : "json_to_recordset";
  const body = context.values.add(args.text);
  return {
    before: `(select * from ${reader}(${body}::json) as "r"(${types}) limit 1) as "b", lateral `,
    call: call(
      named
        .map(
          ({ name, variadic }) =>
            `${variadic ? "variadic " : ""}${quoteName(name)} => "b".${quoteName(name)}`,
        )
        .join(", "),
    ),
  };
}

/** A statement that calls the function and returns its result; a scalar result is the column `pgrst_scalar`. */
export function callSql(
  routine: Routine,
  args: RequestPayload | readonly (readonly [string, string])[],
  context: SqlContext,
  computed: readonly string[],
): string {
  const { before, call } = callFrom(routine, args, context);
  if (routine.returns !== "row") {
    return `select "c"."pgrst_scalar" from ${before}(select ${call} as "pgrst_scalar") as "c"`;
  }
  const extra = computed.map((name) => {
    const field = routine.relation?.computed.get(name);
    return field === undefined ? "" : `, ${qualifiedName(field)}("c") as ${quoteName(name)}`;
  });
  return `select "c".*${extra.join("")} from ${before}${call} as "c"`;
}
