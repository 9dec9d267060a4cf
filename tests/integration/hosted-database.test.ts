import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSupabaseCli } from "../../tools/supabase-cli.ts";
import { startHostedDatabase, type HostedDatabase } from "../support/hosted-database.ts";
import { projectRoot } from "../support/spawn-product.ts";

let database: HostedDatabase;
const target = () => `--remote=${database.url("postgres")}?sslmode=disable`;
beforeAll(async () => {
  database = await startHostedDatabase();
  await runSupabaseCli(["db", "push", target(), "--yes"]);
});
afterAll(async () => await database.stop());

describe("the official CLI on a database with hosted roles, as plain postgres", () => {
  it("has applied every migration, and finds nothing left to do", async () => {
    const folder = join(projectRoot, "supabase", "migrations");
    const rows = await database.query(
      "postgres",
      "select rolsuper, (select count(*)::int from supabase_migrations.schema_migrations) as done from pg_roles where rolname = current_user",
    );
    expect(rows[0]?.["rolsuper"]).toBe(false);
    expect(rows[0]?.["done"]).toBe((await readdir(folder)).length);
    expect(await runSupabaseCli(["db", "push", target(), "--dry-run"])).toContain("up to date");
  });

  it("has no advice at the level of a warning", async () => {
    await runSupabaseCli(["db", "advisors", target(), "--fail-on", "warn"]);
  });

  it("creates only policies, triggers and rows in Supabase's own schemas", async () => {
    // The membership that stands in for Supabase's extension would allow more than a hosted project does.
    const owned =
      /\b(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|type|sequence|schema)\s+(?:if\s+(?:not\s+)?exists\s+)?(?:auth|storage|realtime|vault|cron|net)\b|\bindex\b[^;]*?\bon\s+(?:auth|storage|realtime)\./i;
    expect(owned.test("alter table storage.objects add column x int")).toBe(true);
    expect(owned.test("create index on auth.users (email)")).toBe(true);
    const folder = join(projectRoot, "supabase", "migrations");
    for (const name of await readdir(folder)) {
      const sql = (await readFile(join(folder, name), "utf8")).replaceAll(/--[^\n]*/g, "");
      expect(owned.exec(sql)?.[0], name).toBeUndefined();
    }
  });

  it("leaves what Supabase owns in its hands", async () => {
    const rows = await database.query(
      "postgres",
      `select n.nspname, c.relname, o.rolname from pg_class c
         join pg_namespace n on n.oid = c.relnamespace join pg_roles o on o.oid = c.relowner
        where n.nspname in ('auth', 'storage', 'realtime') and c.relkind in ('r', 'p', 'v')
          and o.rolname not in ('supabase_admin', 'supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin')`,
    );
    expect(rows).toEqual([]);
  });
});

it("takes what docs/deploy.md has an operator type into the SQL editor", async () => {
  const id = randomUUID();
  await database.query(
    "supabase_auth_admin",
    "insert into auth.users (id, email, aud, role) values ($1, 'you@example.org', 'authenticated', 'authenticated')",
    [id],
  );
  const text = await readFile(join(projectRoot, "docs", "deploy.md"), "utf8");
  const hosted = text.slice(text.indexOf("## Hosted Supabase"));
  const blocks = [...hosted.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql ?? "");
  expect(blocks).toHaveLength(3);
  // Vault keeps a name once; the schedules below start from an empty one.
  for (const sql of blocks) await database.query("postgres", sql);
  expect(
    await database.query("postgres", "select role from public.profiles where id = $1", [id]),
  ).toEqual([{ role: "admin" }]);
  expect(
    await database.query("postgres", "select price_id from public.plans order by price_id"),
  ).toEqual([{ price_id: "price_YOUR_MENTOR" }, { price_id: "price_YOUR_STUDENT" }]);
  await database.query("supabase_admin", "delete from vault.secrets");
});

describe("an account on hosted Supabase", () => {
  it("with a profile and articles is deleted as supabase_auth_admin, which GoTrue is", async () => {
    const id = randomUUID();
    await database.query(
      "supabase_auth_admin",
      "insert into auth.users (id, email, aud, role) values ($1, $2, 'authenticated', 'authenticated')",
      [id, `${id}@example.test`],
    );
    await database.query(
      "postgres",
      "insert into public.profiles (id, role, onboarding_complete) values ($1, 'student', false)",
      [id],
    );
    const shelf = await database.query(
      "postgres",
      "insert into public.subcategories (main_category, slug, name) values ('general', $1, 'A shelf') returning id",
      [`shelf-${id}`],
    );
    for (const slug of [`first-${id}`, `second-${id}`]) {
      await database.query(
        "postgres",
        `insert into public.articles (subcategory_id, slug, title, excerpt, content, is_published, author_id)
           values ($1, $2, 'An article', 'About', 'A body', true, $3)`,
        [shelf[0]?.["id"], slug, id],
      );
    }
    await database.query("supabase_auth_admin", "delete from auth.users where id = $1", [id]);
    expect(
      await database.query("postgres", "select from public.profiles where id = $1", [id]),
    ).toEqual([]);
    const kept = await database.query(
      "postgres",
      "select author_id from public.articles where slug in ($1, $2)",
      [`first-${id}`, `second-${id}`],
    );
    expect(kept).toEqual([{ author_id: null }, { author_id: null }]);
  });
});

describe("supabase/hosted/schedules.sql", () => {
  /** When pg_cron has to run what the host runs every so many seconds. */
  function cronOf(everyS: number): string {
    if (everyS % 3600 === 0) return everyS === 3600 ? "0 * * * *" : `0 */${everyS / 3600} * * *`;
    if (everyS % 60 !== 0) throw new Error(`pg_cron has no such interval: ${everyS} s`);
    return everyS === 60 ? "* * * * *" : `*/${everyS / 60} * * * *`;
  }

  async function schedules(): Promise<{ function: string; every_seconds: number }[]> {
    const path = join(projectRoot, "supabase", "functions", "schedules.json");
    return JSON.parse(await readFile(path, "utf8")) as Awaited<ReturnType<typeof schedules>>;
  }

  it("makes the jobs of schedules.json, which call with the schedule's own secret and wait long enough", async () => {
    const sql = await readFile(join(projectRoot, "supabase", "hosted", "schedules.sql"), "utf8");
    // Stand-ins are here already; the extensions themselves are Supabase's.
    const extensions = /^create extension if not exists (?:pg_cron|pg_net);\n/gm;
    expect(sql.match(extensions)).toHaveLength(2);
    const job = sql.replaceAll(extensions, "");
    // Twice: the file is run again after a change.
    for (const _ of [1, 2]) await database.query("postgres", job);
    const jobs = await database.query(
      "postgres",
      "select jobname, schedule, command from cron.job order by jobname",
    );
    const wanted = (await schedules()).map((entry) => ({
      jobname: entry.function,
      schedule: cronOf(entry.every_seconds),
      command: `select private.call_scheduled_function('${entry.function}')`,
    }));
    expect(jobs).toEqual(wanted.toSorted((a, b) => (a.jobname < b.jobname ? -1 : 1)));

    const [first] = jobs;
    await expect(database.query("postgres", String(first?.["command"]))).rejects.toThrow(
      "The secrets functions_url and schedule_secret are not in Vault.",
    );
    const secret = "s".repeat(64);
    await database.query(
      "postgres",
      "select vault.create_secret('https://ref.supabase.co/functions/v1', 'functions_url')",
    );
    await database.query("postgres", "select vault.create_secret($1, 'schedule_secret')", [secret]);
    for (const { command } of jobs) await database.query("postgres", String(command));
    const requests = await database.query(
      "postgres",
      "select url, body, headers, timeout_milliseconds from net.requests order by url",
    );
    expect(requests).toEqual(
      jobs.map(({ jobname }) => ({
        url: `https://ref.supabase.co/functions/v1/${String(jobname)}`,
        body: {},
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        timeout_milliseconds: 150_000,
      })),
    );
  });

  it("lets no role of the API call a scheduled function", async () => {
    const rows = await database.query(
      "postgres",
      `select r as role from unnest(array['anon', 'authenticated', 'service_role']) as r
        where has_function_privilege(r, 'private.call_scheduled_function(text)', 'execute')`,
    );
    expect(rows).toEqual([]);
  });
});
