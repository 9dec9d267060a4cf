// Assembles the schema cache from its parts: relations, relationships, routines, types and settings.

import type pg from "pg";
import { inTransaction } from "../../postgres/database.ts";
import type { RestSettings } from "../settings.ts";
import {
  relationshipEnds,
  foreignKeyRelationships,
  type NumberedRelation,
} from "./build-relationships.ts";
import { buildRoutines } from "./build-routines.ts";
import { buildApiSettings, buildRoleSettings, ignoredApiSettings } from "./build-settings.ts";
import type { SchemaCache, ComputedField, Relationship, Relation } from "./model.ts";
import {
  readForeignKeys,
  readPrimaryKeys,
  readRelations,
  readViews,
  type RelationRow,
} from "./read-relations.ts";
import {
  readFingerprint,
  readPreRequest,
  readRoles,
  readRoutines,
  readTypes,
} from "./read-routines.ts";
import { traceViews, type ColumnOrigin } from "./view-columns.ts";

type MutableComputed = Map<number, Map<string, ComputedField>>;

function buildRelation(
  row: RelationRow,
  primaryKey: string[],
  computed: MutableComputed,
): Relation {
  const { oid, schema, name, isView, rowSecurity, insertable, updatable, deletable } = row;
  const fields = new Map<string, ComputedField>();
  computed.set(row.rowType, fields);
  return {
    oid,
    schema,
    name,
    isView,
    rowSecurity,
    insertable,
    updatable,
    deletable,
    primaryKey,
    computed: fields,
    columns: new Map(row.columns.map((column) => [column.name, column])),
  };
}

/** Key columns of a view: the primary keys of its tables, when the view has all of their columns. */
function keyOfView(
  row: RelationRow,
  origins: readonly ColumnOrigin[],
  keys: ReadonlyMap<number, readonly number[]>,
): string[] {
  const names = new Map(row.columns.map(({ number, name }) => [number, name]));
  const result: string[] = [];
  for (const table of new Set(origins.map((origin) => origin.table))) {
    const shown = (keys.get(table) ?? []).map((number) => {
      const origin = origins.find((one) => one.table === table && one.source === number);
      return origin === undefined ? undefined : names.get(origin.column);
    });
    if (shown.length > 0 && shown.every((name) => name !== undefined)) result.push(...shown);
  }
  return result;
}

function groupBySchema<T extends { schema: string; name: string }>(
  items: readonly T[],
): Map<string, Map<string, T[]>> {
  const schemas = new Map<string, Map<string, T[]>>();
  for (const item of items) {
    const names = schemas.get(item.schema) ?? new Map<string, T[]>();
    names.set(item.name, [...(names.get(item.name) ?? []), item]);
    schemas.set(item.schema, names);
  }
  return schemas;
}

/** Reads everything that requests may name, from one snapshot of the system catalogs. */
export async function loadSchemaCache(pool: pg.Pool, settings: RestSettings): Promise<SchemaCache> {
  return await inTransaction(pool, async (client) => {
    await client.query("set transaction isolation level repeatable read, read only");
    // With an empty search path Postgres qualifies every name with its schema.
    await client.query("set local search_path = ''");
    const searched = [...new Set([...settings.schemas, ...settings.extraSearchPath])];
    const fingerprint = await readFingerprint(client);
    const relationRows = await readRelations(client, settings.schemas);
    const foreignKeys = await readForeignKeys(client);
    const views = traceViews(await readViews(client));
    const keys = new Map(
      (await readPrimaryKeys(client)).map(({ table, columns }) => [table, columns]),
    );
    const routineRows = await readRoutines(client, searched);
    const types = await readTypes(client, searched);
    const roles = await readRoles(client);
    const preRequest = await readPreRequest(client);

    const computed: MutableComputed = new Map();
    const numbered = new Map<number, NumberedRelation>();
    const byRowType = new Map<number, Relation>();
    for (const row of relationRows) {
      const names = new Map(row.columns.map(({ number, name }) => [number, name]));
      const primaryKey = row.isView
        ? keyOfView(row, views.get(row.oid) ?? [], keys)
        : row.primaryKey.map((number) => names.get(number) ?? "");
      const relation = buildRelation(row, primaryKey, computed);
      numbered.set(row.oid, { relation, names });
      byRowType.set(row.rowType, relation);
    }
    const routines = buildRoutines(routineRows, settings.schemas, byRowType, computed);
    const relationships = new Map<Relation, Relationship[]>();
    const all = [
      ...foreignKeyRelationships(foreignKeys, relationshipEnds(numbered, views)),
      ...routines.relationships,
    ];
    for (const relationship of all) {
      // Embeds never cross schemas.
      if (relationship.from.schema !== relationship.to.schema) continue;
      relationships.set(relationship.from, [
        ...(relationships.get(relationship.from) ?? []),
        relationship,
      ]);
    }
    const relations = new Map<string, Map<string, Relation>>();
    for (const { relation } of numbered.values()) {
      const names = relations.get(relation.schema) ?? new Map<string, Relation>();
      relations.set(relation.schema, names.set(relation.name, relation));
    }
    return {
      fingerprint,
      relations,
      relationships,
      routines: groupBySchema(routines.callable),
      types,
      roles: buildRoleSettings(roles),
      api: buildApiSettings(roles, preRequest),
      ignoredSettings: ignoredApiSettings(roles),
    };
  });
}
