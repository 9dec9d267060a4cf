import { describe, expect } from "vitest";
import { memberColumns } from "./member-columns.ts";
import { openRpcs } from "./open-rpcs.ts";
import { memberHelpers, serverHelpers } from "./private-functions.ts";
import { serverRpcs } from "./server-rpcs.ts";
import { test, type World } from "./world.ts";

const ours = "in ('public'::regnamespace, 'private'::regnamespace)";

/** All privileges of visitors. Add to this list only on purpose. */
const openToVisitors = [
  "SELECT on billing_rules",
  "SELECT on business_details",
  "SELECT on legal_texts",
  "SELECT on plans",
  "SELECT on vat_settings",
];

/** Tables members may delete rows from, within the policies. All other deletions go through functions. */
const membersDeleteFrom = [
  "learning_submission_likes",
  "message_likes",
  "message_reactions",
  "push_subscriptions",
  "submission_consents",
];

describe("every table", () => {
  test("has row-level security", async ({ world }) => {
    const sql = `select oid::regclass::text as name from pg_class
      where relkind in ('r', 'p') and relnamespace ${ours} and not relrowsecurity`;
    expect(await world.run("owner", sql)).toEqual([]);
  });

  test("has a comment, like every view and function", async ({ world }) => {
    const tables = `select oid::regclass::text as name from pg_class
      where relkind in ('r', 'p', 'v', 'm') and relnamespace ${ours} and obj_description(oid, 'pg_class') is null`;
    expect(await world.run("owner", tables)).toEqual([]);
    const functions = `select oid::regprocedure::text as name from pg_proc
      where pronamespace ${ours} and prorettype <> 'trigger'::regtype and obj_description(oid, 'pg_proc') is null`;
    expect(await world.run("owner", functions)).toEqual([]);
  });

  test("has a primary key", async ({ world }) => {
    const sql = `select oid::regclass::text as name from pg_class c
      where relkind in ('r', 'p') and relnamespace ${ours}
        and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`;
    expect(await world.run("owner", sql)).toEqual([]);
  });

  test("with a user_id deletes its rows with the account", async ({ world }) => {
    const sql = `select a.attrelid::regclass::text as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relkind in ('r', 'p') and c.relnamespace ${ours} and a.attname = 'user_id'
        and not exists (
          select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum]
            and k.confrelid in ('auth.users'::regclass, 'public.profiles'::regclass) and k.confdeltype = 'c')`;
    expect(await world.run("owner", sql)).toEqual([]);
  });

  test("has an index under every foreign key", async ({ world }) => {
    const sql = `select c.conrelid::regclass::text as table, c.conname from pg_constraint c
      where c.contype = 'f' and c.connamespace ${ours} and not exists (
        select from pg_index i where i.indrelid = c.conrelid and i.indpred is null
          and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`;
    // Kinds are never deleted or renamed, so an index would only make each notification dearer.
    expect(await world.run("owner", sql)).toEqual([
      { table: "notifications", conname: "notifications_kind_fkey" },
    ]);
  });
});

describe("grants", () => {
  const acl = (roles: string) => `
    select c.relname as table, r.rolname as role, p.privilege_type as privilege
    from pg_class c cross join lateral aclexplode(c.relacl) p join pg_roles r on r.oid = p.grantee
    where c.relnamespace ${ours} and r.rolname in (${roles})
    union
    select c.relname, r.rolname, p.privilege_type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    cross join lateral aclexplode(a.attacl) p join pg_roles r on r.oid = p.grantee
    where c.relnamespace ${ours} and r.rolname in (${roles})`;

  test("to visitors are the listed ones", async ({ world }) => {
    const rows = await world.run("owner", acl("'anon'"));
    const open = rows.map((row) => `${String(row["privilege"])} on ${String(row["table"])}`);
    expect(open.toSorted()).toEqual(openToVisitors);
  });

  test("to members are select, insert and update of columns, never of whole tables", async ({
    world,
  }) => {
    const rows = await world.run("owner", acl("'authenticated'"));
    const kinds = new Set(rows.map((row) => String(row["privilege"])));
    expect([...kinds].toSorted()).toEqual(["DELETE", "INSERT", "SELECT", "UPDATE"]);
    const whole = `select c.relname as table, p.privilege_type as privilege
      from pg_class c cross join lateral aclexplode(c.relacl) p
      join pg_roles r on r.oid = p.grantee where c.relnamespace ${ours} and r.rolname = 'authenticated'
      order by c.relname`;
    const expected = membersDeleteFrom.map((table) => ({ table, privilege: "DELETE" }));
    expect(await world.run("owner", whole)).toEqual(expected);
  });

  test("to members are the listed columns", async ({ world }) => {
    const sql = `select c.oid::regclass || ' ' || lower(p.privilege_type) || ': ' ||
        string_agg(a.attname, ' ' order by a.attname::text collate "C") as granted
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      cross join lateral aclexplode(a.attacl) p join pg_roles r on r.oid = p.grantee
      where c.relnamespace ${ours} and r.rolname = 'authenticated'
      group by c.oid, p.privilege_type`;
    const granted = (await world.run("owner", sql)).map((row) => String(row["granted"]));
    expect(granted.toSorted()).toEqual(memberColumns.toSorted());
  });

  test("to the server role are reading and writing of every public table only", async ({
    world,
  }) => {
    const sql = `select c.relname as name, (
        select string_agg(p.privilege_type, ' ' order by p.privilege_type)
        from aclexplode(c.relacl) p join pg_roles r on r.oid = p.grantee where r.rolname = 'service_role'
      ) as granted
      from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`;
    const tables = await world.run("owner", sql);
    const others = tables.filter(({ granted }) => granted !== "DELETE INSERT SELECT UPDATE");
    expect(others).toEqual([]);
    expect(tables.length).toBeGreaterThan(0);
    const rows = await world.run("owner", acl("'service_role'"));
    const kinds = new Set(rows.map((row) => String(row["privilege"])));
    expect([...kinds].toSorted()).toEqual(["DELETE", "INSERT", "SELECT", "UPDATE"]);
  });

  test("to the role public do not exist", async ({ world }) => {
    const tables = `select c.oid::regclass::text as name from pg_class c cross join lateral aclexplode(c.relacl) p
      where c.relnamespace ${ours} and p.grantee = 0`;
    expect(await world.run("owner", tables)).toEqual([]);
    const functions = `select f.oid::regprocedure::text as name from pg_proc f
      cross join lateral aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) p
      where f.pronamespace ${ours} and p.grantee = 0 and f.prorettype <> 'trigger'::regtype`;
    expect(await world.run("owner", functions)).toEqual([]);
    const schemas = `select n.nspname from pg_namespace n cross join lateral aclexplode(n.nspacl) p
      where n.oid ${ours} and p.grantee = 0`;
    expect(await world.run("owner", schemas)).toEqual([]);
  });

  test("leave the private schema and new objects closed", async ({ world }) => {
    const usage =
      "select has_schema_privilege('anon', 'private', 'usage') as anon, has_schema_privilege('authenticated', 'private', 'create') as member";
    expect(await world.one("owner", usage)).toEqual({ anon: false, member: false });
    await world.run(
      "owner",
      "set local role postgres; create table public.later (id int); create function public.later() returns int language sql as 'select 1'; reset role",
    );
    for (const actor of ["anon", await world.account()]) {
      await world.refused(actor, "42501", "select * from public.later");
      await world.refused(actor, "42501", "select public.later()");
    }
  });
});

describe("functions", () => {
  const callable = async (world: World, role: string) => {
    const sql = `select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and has_function_privilege($1, oid, 'execute')
      order by proname`;
    return (await world.run("owner", sql, [role])).map((row) => String(row["name"]));
  };

  test("for members are the listed ones, and there are none for visitors", async ({ world }) => {
    expect(await callable(world, "authenticated")).toEqual(openRpcs);
    expect(await callable(world, "anon")).toEqual([]);
  });

  test("for the server role are the listed ones", async ({ world }) => {
    expect(await callable(world, "service_role")).toEqual(serverRpcs);
  });

  test("in the schema private are called through a function of the same name, or are listed", async ({
    world,
  }) => {
    const sql = `
      select i.proname as name, has_function_privilege($1, i.oid, 'execute') as callable, exists (
        select from pg_proc w where w.pronamespace = 'public'::regnamespace and w.proname = i.proname
          and has_function_privilege($1, w.oid, 'execute') and strpos(w.prosrc, 'private.' || w.proname || '(') > 0
      ) as wrapped
      from pg_proc i where i.pronamespace = 'private'::regnamespace and i.prorettype <> 'trigger'::regtype
      order by i.proname`;
    const callers = { authenticated: memberHelpers, service_role: serverHelpers, anon: [] };
    for (const [role, listed] of Object.entries(callers)) {
      const inside = await world.run("owner", sql, [role]);
      const names = (rows: typeof inside) => rows.map((row) => String(row["name"]));
      expect(names(inside.filter((row) => row["wrapped"] && !row["callable"]))).toEqual([]);
      expect(names(inside.filter((row) => row["callable"] && !row["wrapped"]))).toEqual(listed);
    }
  });

  test("set their search path, and are security definer in the schema private only", async ({
    world,
  }) => {
    const loose = `select oid::regprocedure::text as name from pg_proc
      where pronamespace ${ours} and not coalesce(proconfig @> array['search_path=""'], false)`;
    expect(await world.run("owner", loose)).toEqual([]);
    const exposed = `select oid::regprocedure::text as name from pg_proc
      where prosecdef and pronamespace = 'public'::regnamespace`;
    expect(await world.run("owner", exposed)).toEqual([]);
  });

  test("of triggers are named after their table, and run as the caller when they check the role", async ({
    world,
  }) => {
    const misnamed = `select f.proname, c.relname, f.prosecdef from pg_trigger t
      join pg_proc f on f.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace ${ours}
        and (f.proname not like 'tg\\_' || c.relname || '\\_\\_%' or (f.prosecdef and f.prosrc ~ 'is_outside_caller'))`;
    expect(await world.run("owner", misnamed)).toEqual([]);
  });
});

describe("policies", () => {
  const policies = `select tablename, policyname, cmd, roles, permissive,
      coalesce(qual, '') || ' ' || coalesce(with_check, '') as rule
    from pg_policies where schemaname in ('public', 'private', 'storage')`;

  test("name their operation and roles, and evaluate the caller once a statement", async ({
    world,
  }) => {
    const rows = await world.run("owner", policies);
    expect(rows.length).toBeGreaterThanOrEqual(20);
    for (const row of rows) {
      const name = `${String(row["tablename"])}.${String(row["policyname"])}`;
      expect(String(row["policyname"]), name).toMatch(
        new RegExp(`^${String(row["cmd"]).toLowerCase()}_[a-z_]+$`),
      );
      expect(["{authenticated}", "{anon,authenticated}"], name).toContain(row["roles"]);
      const rule = String(row["rule"]).replaceAll(
        /SELECT auth\.uid\(\)|SELECT private\.\w+\(/g,
        "",
      );
      expect(rule, name).not.toMatch(/auth\.|private\.|user_metadata/);
    }
  });

  test("are one for each operation of a table", async ({ world }) => {
    const twice = `select tablename, cmd from pg_policies where schemaname = 'public'
      group by tablename, cmd having count(*) > 1`;
    expect(await world.run("owner", twice)).toEqual([]);
  });

  test("apply to every view", async ({ world }) => {
    const views = `select oid::regclass::text as name from pg_class where relkind = 'v' and relnamespace ${ours}
      and not coalesce(reloptions @> array['security_invoker=true'] or reloptions @> array['security_invoker=on'], false)`;
    expect(await world.run("owner", views)).toEqual([]);
  });
});

test("no function asks the locale of the database what a letter or a word is", async ({
  world,
}) => {
  const locale = `select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace ${ours} and (
      p.prosrc ~ '\\[:(alnum|alpha|lower|upper):\\]' and p.prosrc !~ 'und-x-icu'
      or p.prosrc ~ '\\m(initcap|unaccent|to_tsvector|(plainto_|phraseto_|websearch_)?to_tsquery|ts_headline)\\('
    ) order by 1`;
  expect(await world.run("owner", locale)).toEqual([]);
});
