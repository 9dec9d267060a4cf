// The product's own rules about stored files would refuse that a move uploads what its rows name already.

import type pg from "pg";

/** Trigger functions of ours on the table of files. */
const rulesSql = `
  select distinct format('%I.%I()', n.nspname, p.proname) as name, pg_get_functiondef(p.oid) as definition
  from pg_trigger t
  join pg_proc p on p.oid = t.tgfoid
  join pg_namespace n on n.oid = p.pronamespace
  where t.tgrelid = 'storage.objects'::regclass and not t.tgisinternal and n.nspname = 'private'
  order by 1`;

/**
 * Does `work` while the project's triggers on `storage.objects` let everything pass. Their table is Supabase's, so that triggers
 * cannot be disabled there, but their functions are the product's. They are as the install has them afterwards, whatever
 * happened; after a lost connection, once the command is run again.
 */
export async function withoutFileRules<T>(
  sides: { own: Pick<pg.ClientBase, "query">; project: Pick<pg.ClientBase, "query"> },
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await sides.own.query<{ name: string; definition: string }>(rulesSql);
  for (const { name } of rows) {
    await sides.project.query(
      `create or replace function ${name} returns trigger language plpgsql set search_path = '' as $$ begin return coalesce(new, old); end $$`,
    );
  }
  try {
    return await work();
  } finally {
    for (const { definition } of rows) await sides.project.query(definition);
  }
}
