import type { SupabaseClient } from "@supabase/supabase-js";
import { expect } from "vitest";
import { owner } from "./members.ts";

/**
 * Tries every operation of REST on tables that no role has a privilege on, by the schemas a client can name.
 * @param row what a forged insert or update says.
 */
export async function expectHidden(
  client: SupabaseClient,
  tables: readonly string[],
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const [column = "user_id"] = Object.keys(row);
  for (const table of tables) {
    for (const schema of ["public", "private"]) {
      const rows = () => client.schema(schema).from(table);
      const answers = {
        select: await rows().select("*"),
        insert: await rows().insert(row),
        upsert: await rows().upsert(row),
        update: await rows().update(row).not(column, "is", null),
        delete: await rows().delete().not(column, "is", null),
      };
      for (const [operation, { data, error }] of Object.entries(answers)) {
        const what = `${operation} ${schema}.${table}`;
        expect.soft(data, what).toBeNull();
        // Not exposed, or unknown to the API.
        expect.soft(error?.code, what).toMatch(/^(?:PGRST106|PGRST205|42501)$/);
      }
    }
  }
}

/** The rows of these tables of the schema `private` that name one of the ids, as stored. Other files write to the same tables. */
export async function storedPrivately(
  tables: readonly string[],
  ids: readonly string[],
): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const table of tables) {
    const { rows } = await owner.query(
      `select * from private.${table} t
       where exists (select from unnest($1::text[]) id where position(id in t::text) > 0) order by t::text`,
      [ids],
    );
    all[table] = rows;
  }
  return all;
}
