import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHostedDatabase, type HostedDatabase } from "../support/hosted-database.ts";
import { projectRoot } from "../support/spawn-product.ts";

const kinds = ["tables", "sequences", "functions", "types"];
const roles = "public, anon, authenticated, service_role";

/** Default privileges for the role that runs the migrations, by the name of a database with them. */
const defaults: Record<string, readonly string[]> = {
  as_hosted: [],
  wide_open: [...kinds, "schemas"].map(
    (kind) => `alter default privileges for role postgres grant all on ${kind} to ${roles}`,
  ),
  closed: [
    ...[...kinds, "schemas"].map(
      (kind) => `alter default privileges for role postgres revoke all on ${kind} from ${roles}`,
    ),
    ...["tables", "sequences", "functions"].map(
      (kind) =>
        `alter default privileges for role postgres in schema public revoke all on ${kind} from ${roles}`,
    ),
  ],
};

const ours = "('public', 'private', 'hooks')";

/** Every privilege on the product's objects that a role other than the owner holds, one line each. */
const privilegesSql = `
  with acl (object, owner, items) as (
    select 'schema ' || n.nspname, n.nspowner, coalesce(n.nspacl, acldefault('n', n.nspowner))
    from pg_namespace n where n.nspname in ${ours}
    union all
    select 'relation ' || c.oid::regclass, c.relowner,
      coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))
    from pg_class c
    where c.relnamespace::regnamespace::text in ${ours} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 'column ' || c.oid::regclass || '.' || a.attname, c.relowner, a.attacl
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace::regnamespace::text in ${ours} and a.attacl is not null
    union all
    select 'function ' || p.oid::regprocedure, p.proowner, coalesce(p.proacl, acldefault('f', p.proowner))
    from pg_proc p where p.pronamespace::regnamespace::text in ${ours}
    union all
    -- The types of rows and of arrays follow their table and their element.
    select 'type ' || t.oid::regtype, t.typowner, coalesce(t.typacl, acldefault('T', t.typowner))
    from pg_type t left join pg_class c on c.oid = t.typrelid
    where t.typnamespace::regnamespace::text in ${ours} and t.typcategory <> 'A' and coalesce(c.relkind = 'c', true)
  )
  select concat_ws(' ', a.object, p.privilege_type, 'to', coalesce(r.rolname, 'public')) as line
  from acl a cross join lateral aclexplode(a.items) p left join pg_roles r on r.oid = p.grantee
  where p.grantee <> a.owner and a.owner <> 'supabase_admin'::regrole and coalesce(r.rolname, '') <> 'postgres'
  order by 1`;

let server: HostedDatabase;
const privileges = new Map<string, string[]>();

async function readPrivileges(client: pg.Client): Promise<string[]> {
  return (await client.query<{ line: string }>(privilegesSql)).rows.map(({ line }) => line);
}

async function runAs(
  login: "postgres" | "supabase_admin",
  database: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: server.url(login, database) });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  server = await startHostedDatabase();
  const folder = join(projectRoot, "supabase", "migrations");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  const migrations = await Promise.all(
    names.map(async (name) => await readFile(join(folder, name), "utf8")),
  );
  for (const [database, statements] of Object.entries(defaults)) {
    await runAs("supabase_admin", "template1", async (client) => {
      await client.query(`create database ${database} template postgres owner postgres`);
    });
    await runAs("supabase_admin", database, async (client) => {
      for (const sql of statements) await client.query(sql);
    });
    await runAs("postgres", database, async (client) => {
      for (const sql of migrations) await client.query(sql);
      privileges.set(database, await readPrivileges(client));
    });
  }
});
afterAll(async () => await server.stop());

describe("the privileges on every schema, table, column, sequence, function and type", () => {
  test.for(["wide_open", "closed"])(
    "are the same when the server's default privileges are %s",
    (database) => {
      expect(privileges.get("as_hosted")?.length).toBeGreaterThan(400);
      expect(privileges.get(database)).toEqual(privileges.get("as_hosted"));
    },
  );

  test("give nothing to the role public", () => {
    const open = privileges.get("as_hosted")?.filter((line) => line.endsWith(" to public"));
    expect(open).toEqual([]);
  });

  const addObjects = async (client: pg.Client, name: string) => {
    await client.query(`create table private.${name} (id bigint generated always as identity)`);
    await client.query(`create table public.${name} (id integer)`);
    await client.query(`create type public.${name}_kind as enum ('one')`);
    await client.query(`create function public.${name}() returns integer return 1`);
    return (await readPrivileges(client)).filter((line) => line.includes(name));
  };

  test.for(Object.keys(defaults))(
    "are none on an object that grants none, where the defaults were %s",
    async (database) => {
      await runAs("postgres", database, async (client) => {
        expect(await addObjects(client, "granted_to_nobody")).toEqual([]);
      });
    },
  );

  test("would be the server's, had the migrations not revoked its defaults", async () => {
    await runAs("postgres", "wide_open", async (client) => {
      for (const sql of defaults["wide_open"] ?? []) await client.query(sql);
      const added = await addObjects(client, "granted_to_all");
      expect(added).toContain("relation private.granted_to_all SELECT to anon");
      expect(added).toContain("function granted_to_all() EXECUTE to anon");
    });
  });
});
