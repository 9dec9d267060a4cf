import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";

/** One object of the database: `table public.chat_rooms` or `policy select_own on public.profiles`, and its SQL. */
interface SchemaObject {
  readonly key: string;
  readonly sql: string;
}

/** Where an object is created: the number of the migration, the position in it, and the area its file name gives. */
interface Origin {
  readonly migration: number;
  readonly position: number;
  readonly area: string;
}

const createStatement =
  /^create (?:or replace )?(?:constraint )?(?:(schema|table|view|type|sequence|function) ([\w.]+)|(policy|trigger) (\w+)[^;]*? on (\w+\.\w+))/gm;

const renameStatement =
  /^alter (?:(table|view|type|sequence|function) (\w+)\.(\w+)(?:\([^)]*\))?|(policy|trigger) (\w+) on (\w+\.\w+)) rename to (\w+)/gm;

/** The place that first creates each object; one that is renamed stays where it was created. */
async function readOrigins(folder: string): Promise<Map<string, Origin>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  const origins = new Map<string, Origin>();
  for (const [migration, file] of files.entries()) {
    const area = file.replace(/^\d+_(.+)\.sql$/, "$1").replaceAll("_", " ");
    const text = await readFile(join(folder, file), "utf8");
    for (const match of text.matchAll(createStatement)) {
      const [, kind, name, attached, part, table] = match;
      const key = kind === undefined ? `${attached} ${part} on ${table}` : `${kind} ${name}`;
      if (!origins.has(key)) origins.set(key, { migration, position: match.index, area });
    }
    for (const [, kind, schema, name, attached, part, table, newName] of text.matchAll(
      renameStatement,
    )) {
      const [key, newKey] =
        kind === undefined
          ? [`${attached} ${part} on ${table}`, `${attached} ${newName} on ${table}`]
          : [`${kind} ${schema}.${name}`, `${kind} ${schema}.${newName}`];
      const origin = origins.get(key);
      if (origin) origins.set(newKey, origin);
    }
  }
  return origins;
}

const ours = "('public', 'private', 'hooks')";
/** Schemas of the platform to whose tables migrations add policies and triggers. */
const platform = "('auth', 'storage', 'realtime')";

/** SQL that writes `comment on` for an SQL expression of the target and one of the text; '' without a comment. */
const commentSql = (target: string, text: string) =>
  `case when ${text} is null then '' else E'\\ncomment on ' || ${target} || ' is ' || quote_literal(${text}) || ';' end`;

/** SQL that writes the grants of an access list to other roles than the owner and `postgres`; `target` follows ON. */
const grantSql = (acl: string, owner: string, target: string) => `coalesce((
  select string_agg(
    E'\\ngrant ' || lower(g.privileges) || ' on ' || ${target} || ' to ' || g.grantee || ';', '' order by g.grantee collate "C")
  from (
    select coalesce(nullif(a.grantee, 0)::regrole::text, 'public') as grantee,
      string_agg(a.privilege_type, ', ' order by a.privilege_type collate "C") as privileges
    from aclexplode(${acl}) a
    where a.grantee <> ${owner} and a.grantee <> 'postgres'::regrole group by a.grantee
  ) g), '')`;

const columnGrantSql = `coalesce((
  select string_agg(
    E'\\ngrant ' || g.columns || ' on ' || c.oid::regclass || ' to ' || g.grantee || ';', '' order by g.grantee collate "C")
  from (
    select p.grantee,
      string_agg(p.privilege || ' (' || p.names || ')', E',\\n  ' order by p.privilege collate "C") as columns
    from (
      select x.grantee::regrole::text as grantee, lower(x.privilege_type) as privilege,
        string_agg(quote_ident(a.attname), ', ' order by a.attnum) as names
      from pg_attribute a, aclexplode(a.attacl) x
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and x.grantee <> c.relowner
      group by 1, 2
    ) p group by p.grantee
  ) g), '')`;

const schemasSql = `
select 'schema ' || n.nspname as key,
  'create schema ' || n.nspname || ';'
  || ${commentSql("'schema ' || n.nspname", "obj_description(n.oid, 'pg_namespace')")}
  || ${grantSql("n.nspacl", "n.nspowner", "'schema ' || n.nspname")} as sql
from pg_namespace n where n.nspname in ${ours} and n.nspname <> 'public'`;

const sequencesSql = `
select 'sequence ' || c.oid::regclass as key,
  'create sequence ' || c.oid::regclass || ' as ' || s.seqtypid::regtype || ';'
  || ${grantSql("c.relacl", "c.relowner", "'sequence ' || c.oid::regclass")} as sql
from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_sequence s on s.seqrelid = c.oid
where n.nspname in ${ours} and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))`;

const tablesSql = `
select 'table ' || c.oid::regclass as key,
  'create table ' || c.oid::regclass || E' (\\n' || (
    select string_agg(line, E',\\n' order by part, position) from (
      select 1 as part, a.attnum::int as position,
        '  ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
        || case a.attidentity
          when 'a' then ' generated always as identity' when 'd' then ' generated by default as identity' else '' end
        || case when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
          when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end
        || case when a.attnotnull then ' not null' else '' end as line
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      union all
      select 2, row_number() over (order by k.contype desc, k.conname)::int,
        '  constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid)
      from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')
    ) lines) || E'\\n);'
  || ${commentSql("'table ' || c.oid::regclass", "obj_description(c.oid, 'pg_class')")}
  || coalesce((select string_agg(
      E'\\ncomment on column ' || c.oid::regclass || '.' || quote_ident(a.attname) || ' is '
      || quote_literal(col_description(c.oid, a.attnum)) || ';', '' order by a.attnum)
    from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and col_description(c.oid, a.attnum) is not null), '')
  || coalesce((select string_agg(E'\\n' || pg_get_indexdef(i.indexrelid) || ';', ''
      order by i.indexrelid::regclass::text collate "C")
    from pg_index i where i.indrelid = c.oid
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))), '')
  || case when c.relrowsecurity then E'\\nalter table ' || c.oid::regclass || ' enable row level security;' else '' end
  || ${grantSql("c.relacl", "c.relowner", "c.oid::regclass")}
  || ${columnGrantSql}
  || coalesce((select string_agg(E'\\n' || pg_get_triggerdef(t.oid) || ';', '' order by t.tgname)
    from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal), '')
  || coalesce((select string_agg(
      E'\\nalter publication ' || p.pubname || ' add table ' || c.oid::regclass || ';', '' order by p.pubname)
    from pg_publication_tables p where p.schemaname = n.nspname and p.tablename = c.relname), '') as sql
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ${ours} and c.relkind in ('r', 'p')`;

const viewsSql = `
select 'view ' || c.oid::regclass as key,
  'create view ' || c.oid::regclass
  || case when c.reloptions is null then '' else ' with (' || array_to_string(c.reloptions, ', ') || ')' end
  || E' as\\n' || pg_get_viewdef(c.oid)
  || ${commentSql("'view ' || c.oid::regclass", "obj_description(c.oid, 'pg_class')")}
  || ${grantSql("c.relacl", "c.relowner", "c.oid::regclass")} as sql
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ${ours} and c.relkind = 'v'`;

const typesSql = `
select 'type ' || t.oid::regtype as key,
  'create type ' || t.oid::regtype || case t.typtype
    when 'e' then ' as enum (' || (
      select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
      from pg_enum e where e.enumtypid = t.oid) || ');'
    else E' as (\\n' || (
      select string_agg('  ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), E',\\n'
        order by a.attnum)
      from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0) || E'\\n);' end
  || ${commentSql("'type ' || t.oid::regtype", "obj_description(t.oid, 'pg_type')")}
  || ${grantSql("coalesce(t.typacl, acldefault('T', t.typowner))", "t.typowner", "'type ' || t.oid::regtype")} as sql
from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
where n.nspname in ${ours} and (t.typtype = 'e' or (t.typtype = 'c' and c.relkind = 'c'))`;

const functionsSql = `
select 'function ' || n.nspname || '.' || p.proname as key,
  regexp_replace(pg_get_functiondef(p.oid), '\\s+$', '') || ';'
  || ${commentSql("'function ' || p.oid::regprocedure", "obj_description(p.oid, 'pg_proc')")}
  || ${grantSql("coalesce(p.proacl, acldefault('f', p.proowner))", "p.proowner", "'function ' || p.oid::regprocedure")} as sql
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where n.nspname in ${ours} and p.prokind in ('f', 'p')`;

const policiesSql = `
select 'policy ' || quote_ident(p.polname) || ' on ' || p.polrelid::regclass as key,
  'create policy ' || quote_ident(p.polname) || ' on ' || p.polrelid::regclass
  || case when p.polpermissive then '' else ' as restrictive' end
  || ' for ' || case p.polcmd
    when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end
  || ' to ' || (
    select string_agg(coalesce(nullif(r, 0)::regrole::text, 'public'), ', ' order by r::regrole::text collate "C")
    from unnest(p.polroles) r)
  || coalesce(E'\\n  using (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
  || coalesce(E'\\n  with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '') || ';'
  || ${commentSql("'policy ' || quote_ident(p.polname) || ' on ' || p.polrelid::regclass", "obj_description(p.oid, 'pg_policy')")} as sql
from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ${ours} or n.nspname in ${platform}`;

/** Triggers of the platform's own tables; those of ours stand with their table. */
const platformTriggersSql = `
select 'trigger ' || t.tgname || ' on ' || t.tgrelid::regclass as key, pg_get_triggerdef(t.oid) || ';' as sql
from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
join pg_proc f on f.oid = t.tgfoid
where not t.tgisinternal and n.nspname in ${platform} and f.pronamespace::regnamespace::text in ${ours}`;

const header = `-- The database after the last migration, for reading. Written by \`npm run gen\`; change the migrations instead.
-- Everything stands below the name of the migration that first creates it. Every object revokes all privileges before
-- the grants shown with it; the platform's own objects, roles, extensions and rows of tables are left out.`;

/**
 * Writes the final state of the product's schemas, and its policies and triggers on the platform's tables, as SQL.
 * Throws when an object comes from no migration.
 * @param client a connection of the owner, or of a superuser, to a database that has just been migrated
 * @param folder the migrations
 */
export async function renderSchema(client: pg.ClientBase, folder: string): Promise<string> {
  // With an empty path, Postgres writes every name with its schema.
  await client.query("set search_path = ''");
  const origins = await readOrigins(folder);
  const objects: (SchemaObject & Origin)[] = [];
  for (const sql of [
    schemasSql,
    sequencesSql,
    typesSql,
    tablesSql,
    viewsSql,
    policiesSql,
    platformTriggersSql,
    functionsSql,
  ]) {
    for (const object of (await client.query<SchemaObject>(sql)).rows) {
      const origin = origins.get(object.key);
      if (!origin) throw new Error(`no migration creates ${object.key}`);
      objects.push({ ...object, ...origin });
    }
  }
  // Overloads, and what took the name of something renamed, have one origin; the catalogue's order would differ by database.
  objects.sort(
    (a, b) =>
      a.migration - b.migration ||
      a.position - b.position ||
      Buffer.from(a.sql).compare(Buffer.from(b.sql)),
  );
  const lines = [header];
  let area = "";
  for (const object of objects) {
    if (object.area !== area) lines.push("", `-- ${object.area}`);
    area = object.area;
    lines.push("", object.sql);
  }
  return `${lines.join("\n")}\n`;
}
