// Catalog queries for tables, views and their keys.

import type { Queryable } from "../../postgres/database.ts";
import type { Column } from "./model.ts";

/** A table or view as read from the system catalogs. */
export interface RelationRow {
  oid: number;
  schema: string;
  name: string;
  isView: boolean;
  rowSecurity: boolean;
  rowType: number;
  columns: (Column & { number: number })[];
  primaryKey: number[];
  insertable: boolean;
  updatable: boolean;
  deletable: boolean;
}

const relationsSql = `
  select c.oid::int8::float8 as oid, n.nspname as schema, c.relname as name,
    c.relkind in ('v', 'm') as "isView", c.relrowsecurity as "rowSecurity", c.reltype::int8::float8 as "rowType",
    c.relkind in ('r', 'p') or may.bits & 8 = 8 as insertable,
    c.relkind in ('r', 'p') or may.bits & 4 = 4 as updatable,
    c.relkind in ('r', 'p') or may.bits & 16 = 16 as deletable,
    coalesce((select to_json(k.conkey) from pg_constraint k where k.conrelid = c.oid and k.contype = 'p'), '[]')
      as "primaryKey",
    coalesce(cols.list, '[]') as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  cross join lateral (
    select case when c.relkind in ('v', 'f') then pg_relation_is_updatable(c.oid, true) else 0 end as bits
  ) may
  left join lateral (
    select json_agg(json_build_object(
      'number', a.attnum, 'name', a.attname,
      'type', format_type(a.atttypid, a.atttypmod),
      'baseType', format_type(base.oid, null),
      'default', case
        when a.attgenerated <> '' then null
        when a.attidentity <> '' then format('nextval(%s::regclass)', quote_literal(seq.objid::regclass::text))
        when d.adbin is not null then pg_get_expr(d.adbin, d.adrelid)
        else pg_get_expr(t.typdefaultbin, 0) end
      ) order by a.attnum) as list
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    join lateral (
      with recursive chain as (
        select t.oid, t.typbasetype
        union all
        select b.oid, b.typbasetype from chain join pg_type b on b.oid = chain.typbasetype
      ) select oid from chain where typbasetype = 0
    ) base on true
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_depend seq on seq.refclassid = 'pg_class'::regclass and seq.classid = 'pg_class'::regclass
      and seq.refobjid = a.attrelid and seq.refobjsubid = a.attnum and seq.deptype = 'i'
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) cols on true
  where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition and n.nspname = any ($1)`;

/** Tables and views of the given schemas. */
export async function readRelations(
  client: Queryable,
  schemas: readonly string[],
): Promise<RelationRow[]> {
  return (await client.query<RelationRow>(relationsSql, [schemas])).rows;
}

/** A foreign key; columns are attribute numbers, in the order of the key. */
export interface ForeignKeyRow {
  constraint: string;
  from: number;
  to: number;
  fromColumns: number[];
  toColumns: number[];
  /** True when the referencing columns are unique, so that the relationship is one-to-one. */
  unique: boolean;
}

const foreignKeysSql = `
  select k.conname as constraint, k.conrelid::int8::float8 as "from", k.confrelid::int8::float8 as "to",
    to_json(k.conkey) as "fromColumns", to_json(k.confkey) as "toColumns",
    exists (
      select from pg_constraint u
      where u.conrelid = k.conrelid and u.contype in ('p', 'u')
        and u.conkey <@ k.conkey and u.conkey @> k.conkey
    ) as unique
  from pg_constraint k
  where k.contype = 'f' and k.conparentid = 0
  order by k.conrelid, k.conname`;

/** Foreign keys of all schemas: a view may show a table of a schema that requests cannot name. */
export async function readForeignKeys(client: Queryable): Promise<ForeignKeyRow[]> {
  return (await client.query<ForeignKeyRow>(foreignKeysSql)).rows;
}

/** A view with its stored query tree. */
export interface ViewRow {
  oid: number;
  tree: string;
}

const viewsSql = `
  select c.oid::int8::float8 as oid, r.ev_action::text as tree
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_rewrite r on r.ev_class = c.oid and r.ev_type = '1'
  where c.relkind in ('v', 'm') and n.nspname not in ('pg_catalog', 'information_schema')`;

export async function readViews(client: Queryable): Promise<ViewRow[]> {
  return (await client.query<ViewRow>(viewsSql)).rows;
}

/** Primary keys of all tables, for views over tables of other schemas. */
export interface PrimaryKeyRow {
  table: number;
  columns: number[];
}

const primaryKeysSql = `
  select conrelid::int8::float8 as "table", to_json(conkey) as columns from pg_constraint
  where contype = 'p' and conrelid <> 0`;

export async function readPrimaryKeys(client: Queryable): Promise<PrimaryKeyRow[]> {
  return (await client.query<PrimaryKeyRow>(primaryKeysSql)).rows;
}
