import { join } from "node:path";
import type pg from "pg";
import { type DeclaredFile, rpcFolder } from "./declared-schema.ts";

/**
 * Above a function of `private`: who may call it through the API, the names of its arguments there where they differ, and
 * the description that the API shows.
 *
 *     -- @rpc authenticated (message_id, reason)
 *     -- Members: report a message of another member.
 */
const marker =
  /^-- @rpc (?<roles>[\w, ]+?)(?: \((?<names>[\w, ]+)\))?\n(?<text>(?:--.*\n)+)create function private\.(?<name>\w+)\(/gm;

interface Rpc {
  readonly name: string;
  readonly roles: string;
  /** Names of the arguments in the API; undefined where they are those of the function. */
  readonly names: readonly string[] | undefined;
  readonly text: string;
}

/** The functions of a file that the API offers, in their order. */
export function findRpcs({ text }: DeclaredFile): Rpc[] {
  return [...text.matchAll(marker)].map(({ groups }) => ({
    name: groups?.["name"] ?? "",
    roles: groups?.["roles"] ?? "",
    names: groups?.["names"]?.split(", "),
    text: (groups?.["text"] ?? "").replaceAll(/^-- ?/gm, "").trim().replaceAll("\n", " "),
  }));
}

interface Signature {
  readonly name: string;
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly defaults: readonly (string | null)[];
  readonly result: string;
  readonly volatility: string;
  readonly isSet: boolean;
}

const signaturesSql = `
  select p.proname as name,
    coalesce(p.proargnames[1:p.pronargs], '{}') as names,
    array(select format_type(t, null) from unnest(p.proargtypes) with ordinality u(t, o) order by o) as types,
    array(select pg_get_function_arg_default(p.oid, o::int)
      from unnest(p.proargtypes) with ordinality u(t, o) order by o) as defaults,
    pg_get_function_result(p.oid) as result,
    case p.provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end as volatility,
    p.proretset as "isSet"
  from pg_proc p where p.pronamespace = 'private'::regnamespace`;

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

function writeRpc(rpc: Rpc, signature: Signature): string {
  const names = rpc.names ?? signature.names;
  if (names.length !== signature.names.length) {
    throw new Error(
      `@rpc of private.${rpc.name} names ${names.length} arguments of ${signature.names.length}`,
    );
  }
  const parameters = names.map((name, index) => {
    const otherwise = signature.defaults[index];
    const end = otherwise === null || otherwise === undefined ? "" : ` default ${otherwise}`;
    return `${name} ${signature.types[index]}${end}`;
  });
  const result = signature.result.replace(/^TABLE\(/, "table(").replace(/^SETOF /, "setof ");
  const call = `${signature.isSet ? "* from " : ""}private.${rpc.name}(${names.join(", ")})`;
  return [
    `create function public.${rpc.name}(${parameters.join(", ")}) returns ${result}`,
    `  language sql ${signature.volatility} set search_path = '' as $$ select ${call} $$;`,
    `comment on function public.${rpc.name} is ${quote(rpc.text)};`,
    `grant execute on function private.${rpc.name}, public.${rpc.name} to ${rpc.roles};`,
  ].join("\n");
}

/**
 * Writes the functions of `public` that pass their arguments on to one of `private`: the API exposes `public`, where a
 * function must not have more rights than its caller.
 * @param client a connection to a database that has the functions of `private`
 * @returns a file for each area
 * @throws {Error} when a function has several forms, or a marker that does not fit it
 */
export async function writeRpcFunctions(
  client: pg.Client,
  files: readonly DeclaredFile[],
): Promise<DeclaredFile[]> {
  // With an empty path, Postgres writes every name with its schema.
  await client.query("set search_path = ''");
  const { rows } = await client.query<Signature>(signaturesSql);
  const areas = new Map<string, string[]>();
  for (const file of files) {
    const area = file.path.split("/")[0] ?? "";
    for (const rpc of findRpcs(file)) {
      const [signature, another] = rows.filter(({ name }) => name === rpc.name);
      if (signature === undefined || another !== undefined) {
        throw new Error(`${file.path}: @rpc needs exactly one function private.${rpc.name}`);
      }
      areas.set(area, [...(areas.get(area) ?? []), writeRpc(rpc, signature)]);
    }
  }
  const header = "-- Written by `npm run gen` from the lines with @rpc; change those.";
  return [...areas].map(([area, functions]) => ({
    path: join(rpcFolder, `${area}.sql`),
    text: `${[header, ...functions].join("\n\n")}\n`,
  }));
}
