import type pg from "pg";

/** A statement that removes one rule of the database, or makes a policy always true. */
export interface Mutant {
  kind: "policy" | "open policy" | "trigger" | "grant" | "constraint" | "index" | "row security";
  /** For example `public.profiles: policy select_self_or_member`. */
  title: string;
  sql: string;
  /** Unqualified name of the table or function it belongs to; tests that mention it run first. */
  subject: string;
}

const inProductSchemas = "in ('public'::regnamespace, 'private'::regnamespace)";

/** Each query returns `title` and `sql`, with identifiers quoted by the database. */
const mutantQueries: readonly (readonly [Mutant["kind"], string])[] = [
  [
    "policy",
    `select format('%I.%I: policy %s', schemaname, tablename, policyname) as title,
       format('drop policy %I on %I.%I', policyname, schemaname, tablename) as sql
     from pg_policies where schemaname in ('public', 'private', 'storage', 'realtime')`,
  ],
  [
    "open policy",
    `select format('%I.%I: using of %s', schemaname, tablename, policyname) as title,
       format('alter policy %I on %I.%I using (true)', policyname, schemaname, tablename) as sql
     from pg_policies where schemaname in ('public', 'private', 'storage', 'realtime') and qual <> 'true'
     union all
     select format('%I.%I: check of %s', schemaname, tablename, policyname),
       format('alter policy %I on %I.%I with check (true)', policyname, schemaname, tablename)
     from pg_policies where schemaname in ('public', 'private', 'storage', 'realtime') and with_check <> 'true'`,
  ],
  [
    "row security",
    `select format('%s: row-level security', oid::regclass) as title,
       format('alter table %s disable row level security', oid::regclass) as sql
     from pg_class where relkind in ('r', 'p') and relrowsecurity and relnamespace ${inProductSchemas}`,
  ],
  [
    "trigger",
    `select format('%s: trigger %s', t.tgrelid::regclass, t.tgname) as title,
       format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass) as sql
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace ${inProductSchemas}`,
  ],
  [
    "constraint",
    `select format('%s: constraint %s', conrelid::regclass, conname) as title,
       format('alter table %s drop constraint %I cascade', conrelid::regclass, conname) as sql
     from pg_constraint where contype in ('c', 'f', 'p', 'u', 'x') and conrelid <> 0 and connamespace ${inProductSchemas}`,
  ],
  [
    "index",
    `select format('%s: unique index', i.indexrelid::regclass) as title,
       format('drop index %s', i.indexrelid::regclass) as sql
     from pg_index i join pg_class c on c.oid = i.indrelid
     where i.indisunique and c.relnamespace ${inProductSchemas}
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
  ],
  [
    "grant",
    `select format('%s: %s to %s', c.oid::regclass, lower(p.privilege_type), r.rolname) as title,
       format('revoke %s on %s from %I', p.privilege_type, c.oid::regclass, r.rolname) as sql
     from pg_class c cross join lateral aclexplode(c.relacl) p join pg_roles r on r.oid = p.grantee
     where c.relnamespace ${inProductSchemas} and c.relkind in ('r', 'p', 'v')
       and r.rolname in ('anon', 'authenticated', 'service_role')
     union all
     select format('%s: %s of %s to %s', c.oid::regclass, lower(p.privilege_type), a.attname, r.rolname),
       format('revoke %s (%I) on %s from %I', p.privilege_type, a.attname, c.oid::regclass, r.rolname)
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     cross join lateral aclexplode(a.attacl) p join pg_roles r on r.oid = p.grantee
     where c.relnamespace ${inProductSchemas}
     union all
     select format('%s: execute to %s', f.oid::regprocedure, r.rolname),
       format('revoke execute on function %s from %I', f.oid::regprocedure, r.rolname)
     from pg_proc f cross join lateral aclexplode(f.proacl) p join pg_roles r on r.oid = p.grantee
     where f.pronamespace ${inProductSchemas} and r.rolname in ('anon', 'authenticated', 'service_role')
     union all
     select format('schema %I: %s to %s', n.nspname, lower(p.privilege_type), r.rolname),
       format('revoke %s on schema %I from %I', p.privilege_type, n.nspname, r.rolname)
     from pg_namespace n cross join lateral aclexplode(n.nspacl) p join pg_roles r on r.oid = p.grantee
     where n.nspname = 'private' and r.rolname in ('anon', 'authenticated', 'service_role')`,
  ],
];

function subjectOf(title: string): string {
  return /^(?:schema )?(?:\w+\.)?(\w+)/.exec(title)?.[1] ?? title;
}

/** Reads one mutant for every rule in the system catalogue of the database, in a stable order. */
export async function listMutants(client: pg.Client): Promise<Mutant[]> {
  const mutants: Mutant[] = [];
  for (const [kind, query] of mutantQueries) {
    const { rows } = await client.query<{ title: string; sql: string }>(
      `select * from (${query}) m order by title`,
    );
    mutants.push(...rows.map((row) => ({ kind, ...row, subject: subjectOf(row.title) })));
  }
  return mutants;
}

/** Takes `size` mutants, spread evenly over the list. The choice is the same every time. */
export function sampleMutants(mutants: readonly Mutant[], size: number): Mutant[] {
  if (size >= mutants.length) return [...mutants];
  const step = mutants.length / size;
  return Array.from({ length: size }, (_, i) => mutants[Math.floor((i + 0.5) * step)]).filter(
    (mutant) => mutant !== undefined,
  );
}
