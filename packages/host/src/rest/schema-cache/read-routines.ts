// Catalog queries for functions, types, roles, time zones and the fingerprint of the schema.

import type { Queryable } from "../../postgres/database.ts";

/** A function as read from the system catalogs. */
export interface RoutineRow {
  oid: number;
  schema: string;
  name: string;
  parameters: { name: string; type: string; typeOid: number; mode: string }[];
  requiredCount: number;
  volatility: "i" | "s" | "v";
  returnsSet: boolean;
  /** Type of the result, below all domains. */
  returnType: number;
  /** pg_type.typtype of the result's base type; `c` is a row. */
  returnKind: string;
  returnName: string;
  rowEstimate: number;
  outColumns: { name: string; type: string }[];
  compositeColumns: { name: string; type: string }[];
  settings: string[];
}

const routinesSql = `
  select p.oid::int8::float8 as oid, n.nspname as schema, p.proname as name,
    p.pronargs - p.pronargdefaults as "requiredCount", p.provolatile as volatility,
    p.proretset as "returnsSet", rt.oid::int8::float8 as "returnType",
    rt.typtype as "returnKind", rt.typname as "returnName",
    p.prorows as "rowEstimate",
    coalesce(p.proconfig, '{}') as settings,
    coalesce(args.inputs, '[]') as parameters, coalesce(args.outputs, '[]') as "outColumns",
    coalesce((
      select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
      from pg_attribute a where rt.typrelid <> 0 and a.attrelid = rt.typrelid and a.attnum > 0 and not a.attisdropped
    ), '[]') as "compositeColumns"
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join lateral (
    with recursive chain as (
      select t.oid, t.typbasetype from pg_type t where t.oid = p.prorettype
      union all
      select b.oid, b.typbasetype from chain join pg_type b on b.oid = chain.typbasetype
    ) select oid from chain where typbasetype = 0
  ) base on true
  join pg_type rt on rt.oid = base.oid
  left join lateral (
    select
      json_agg(json_build_object('name', coalesce(name, ''), 'type', format_type(type, null),
        'typeOid', type::int8::float8, 'mode', mode) order by at)
        filter (where mode in ('i', 'b', 'v')) as inputs,
      json_agg(json_build_object('name', coalesce(name, ''), 'type', format_type(type, null)) order by at)
        filter (where mode in ('o', 'b', 't')) as outputs
    from (
      select u.type, coalesce(p.proargmodes[u.at], 'i') as mode, p.proargnames[u.at] as name, u.at
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as u(type, at)
    ) each_argument
  ) args on true
  where p.prokind = 'f' and n.nspname = any ($1)
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)`;

/** Functions of the given schemas. */
export async function readRoutines(
  client: Queryable,
  schemas: readonly string[],
): Promise<RoutineRow[]> {
  return (await client.query<RoutineRow>(routinesSql, [schemas])).rows;
}

/**
 * Built-in types that a cast may name. Left out are types that look names up (`regclass`, `regrole`, `aclitem` …),
 * because a cast to one reveals the name or existence of objects the caller cannot see; types that are expensive to
 * parse (`xml`); and internal types. Arrays of numeric are left out because a few characters can make a number of
 * 131,072 digits.
 */
const builtInTypes = [
  ..."bool bytea char name text varchar bpchar uuid json int2 int4 int8 float4 float8 numeric money oid".split(
    " ",
  ),
  ..."date time timetz timestamp timestamptz interval inet cidr macaddr macaddr8 bit varbit".split(
    " ",
  ),
  ..."point line lseg box path polygon circle tsvector tsquery".split(" "),
  ..."int4range int8range numrange daterange tsrange tstzrange".split(" "),
  ..."int4multirange int8multirange nummultirange datemultirange tsmultirange tstzmultirange".split(
    " ",
  ),
  ..."_bool _text _varchar _uuid _int2 _int4 _int8 _float4 _float8 _date _timestamp _timestamptz".split(
    " ",
  ),
];

/** Includes domains over the allowed built-in types. */
const typesSql = `
  select t.typname as name, format_type(t.oid, null) as type
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  left join pg_type b on b.oid = t.typbasetype
  where n.nspname = 'pg_catalog' and t.typname = any ($2::text[])
    or n.nspname = any ($1) and t.typtype in ('b', 'd', 'e', 'r', 'm', 'c')
      and (b.oid is null or b.typnamespace <> 'pg_catalog'::regnamespace or b.typname = any ($2::text[] || '{jsonb}'))
  order by n.nspname = 'pg_catalog'`;

/** SQL's other names for built-in types. */
const typeAliases: Readonly<Record<string, string>> = {
  // The same in a response; jsonb would write out all digits of numbers such as `1e131071`.
  jsonb: "json",
  int: "integer",
  integer: "integer",
  smallint: "smallint",
  bigint: "bigint",
  decimal: "numeric",
  real: "real",
  float: "double precision",
  "double precision": "double precision",
  boolean: "boolean",
  char: "character",
  character: "character",
  "character varying": "character varying",
  "bit varying": "bit varying",
  "timestamp without time zone": "timestamp without time zone",
  "timestamp with time zone": "timestamp with time zone",
  "time without time zone": "time without time zone",
  "time with time zone": "time with time zone",
};

/** Types that a cast may name; a project's own types take precedence over built-in ones of the same name. */
export async function readTypes(
  client: Queryable,
  schemas: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(typesSql, [
    schemas,
    builtInTypes,
  ]);
  const types = new Map<string, string>();
  for (const { name, type } of rows) if (!types.has(name)) types.set(name, type);
  for (const [name, type] of Object.entries(typeAliases)) types.set(name, type);
  return types;
}

/**
 * Only settings that every role may change; the others apply to the login role alone. Settings made for this database
 * come last, because they override those made for all databases.
 */
const rolesSql = `
  select r.rolname as name, r.rolsuper or r.rolbypassrls as "bypassesRls", coalesce((
    select array_agg(c.setting order by d.setdatabase)
    from pg_db_role_setting d cross join unnest(d.setconfig) as c(setting)
    left join pg_settings s on s.name = split_part(c.setting, '=', 1)
    where d.setrole = r.oid
      and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and (s.context = 'user' or s.name is null and split_part(c.setting, '=', 1) like '%.%')
  ), '{}') as settings
  from pg_roles r`;

/** A role as read from the system catalogs. */
export interface RoleRow {
  name: string;
  settings: string[];
  bypassesRls: boolean;
}

export async function readRoles(client: Queryable): Promise<RoleRow[]> {
  return (await client.query<RoleRow>(rolesSql)).rows;
}

/** The names of the time zones that the server knows. */
export async function readTimezones(client: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>("select name from pg_timezone_names");
  return new Set(rows.map(({ name }) => name));
}

const preRequestSql = `
  select n.nspname || '.' || p.proname as name
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  join pg_description d on d.classoid = 'pg_proc'::regclass and d.objoid = p.oid
  where p.pronargs = 0 and d.description ~ '^@pre_request\\M'
  order by name limit 1`;

/** The function whose comment begins with `@pre_request`; it runs before each request. */
export async function readPreRequest(client: Queryable): Promise<string | undefined> {
  return (await client.query<{ name: string }>(preRequestSql)).rows[0]?.name;
}

const fingerprintSql = `
  select md5(concat_ws(';',
    (select concat(count(*), ',', sum(xmin::text::int8)) from pg_class where oid >= 16384),
    (select concat(count(*), ',', sum(xmin::text::int8)) from pg_attribute where attrelid >= 16384),
    (select concat(count(*), ',', sum(xmin::text::int8)) from pg_proc where oid >= 16384),
    (select concat(count(*), ',', sum(xmin::text::int8)) from pg_type where oid >= 16384),
    (select concat(count(*), ',', sum(xmin::text::int8)) from pg_constraint where oid >= 16384),
    (select concat(count(*), ',', sum(xmin::text::int8)) from pg_rewrite where oid >= 16384),
    (select concat(count(*), ',', sum(xmin::text::int8)) from pg_namespace),
    (select string_agg(concat(rolname, rolbypassrls), ',' order by rolname) from pg_roles),
    (select string_agg(concat(setdatabase, ',', setrole, array_to_string(setconfig, ',')), ',' order by setdatabase, setrole)
       from pg_db_role_setting)
  )) as fingerprint`;

/** A hash that changes whenever the schema may have changed; takes a few milliseconds to compute. */
export async function readFingerprint(client: Queryable): Promise<string> {
  const { rows } = await client.query<{ fingerprint: string }>(fingerprintSql);
  return rows[0]?.fingerprint ?? "";
}
