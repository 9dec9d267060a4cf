import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "basehost";
import { copyPrepared } from "../support/prepared-folders.ts";
import { projectRoot } from "../support/spawn-product.ts";

/** `LOAD=1000` for the long form. */
const memberCount = Number(process.env["LOAD"] ?? 100);
const connectionCount = 24;
const moduleCount = 5;

let folder: string;
let host: Host;
let pool: pg.Pool;

/** A database of its own, because so many members would disturb other tests. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-load-"));
  const env = { PORT: "0", DATA_DIR: join(folder, "data") };
  await copyPrepared("schema", env.DATA_DIR);
  host = await startHost({ env, root: projectRoot, log: pino({ level: "silent" }) });
  pool = new pg.Pool({ connectionString: host.context.db.url, max: connectionCount });
  await pool.query(
    `with people as (
       insert into auth.users (id, email)
         select id, id || '@example.test' from (select gen_random_uuid() as id from generate_series(1, ${memberCount})) n
         returning id
     ),
     faces as (insert into public.profiles (id, onboarding_complete) select id, true from people),
     levels as (insert into public.user_levels (user_id, current_level) select id, 2 from people),
     customers as (
       insert into public.stripe_customers (customer_id, user_id) select 'cus_' || id, id from people returning customer_id
     )
     insert into public.stripe_subscriptions (customer_id, subscription_id, status, price_id)
       select customer_id, 'sub_' || customer_id, 'active', 'price_student_access' from customers`,
  );
});
afterAll(async () => {
  await pool.end();
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});

async function ids(sql: string): Promise<string[]> {
  return (await pool.query<{ id: string }>(sql)).rows.map(({ id }) => id);
}

/** One request of a member, in its own transaction. */
async function request(member: string, sql: string, values: unknown[]): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(becomeSql, [JSON.stringify({ role: "authenticated", sub: member })]);
    const { rowCount } = await client.query(sql, values);
    await client.query("commit");
    return rowCount ?? 0;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

/** Runs every request at once, in no particular order. @returns what went wrong, by code. */
async function storm(requests: (() => Promise<number>)[]): Promise<Record<string, number>> {
  const shuffled = requests
    .map((work) => ({ work, place: Math.random() }))
    .sort((a, b) => a.place - b.place);
  const failures: Record<string, number> = {};
  await Promise.all(
    shuffled.map(async ({ work }) => {
      try {
        await work();
      } catch (error) {
        const code = (error as { code?: string }).code ?? String(error);
        failures[code] = (failures[code] ?? 0) + 1;
      }
    }),
  );
  return failures;
}

const becomeSql =
  "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)";
const openArticle = "update public.articles set read_count = 0 where id = $1";
const insertRead = "insert into public.article_reads (user_id, article_id) values ($1, $2)";
const enrol = "insert into public.course_enrollments (user_id, course_id) values ($1, $2)";
const insertCompletion =
  "insert into public.module_completions (user_id, module_id) values ($1, $2)";
const bump = "update public.courses set enrollment_count = 999 where id = $1";

describe(`${memberCount} members at once`, () => {
  it("open and read the same two articles, twice each, and every figure is true", async () => {
    const [shelf = ""] = await ids(
      "insert into public.subcategories (main_category, slug, name) values ('general', 'load', 'Load') returning id",
    );
    const articles = await ids(
      `insert into public.articles (subcategory_id, slug, title, is_published)
         select '${shelf}', 'a' || n, 'A', true from generate_series(1, 2) n returning id`,
    );
    const members = await ids("select id from public.profiles");
    const opens = members.flatMap((member) =>
      [...articles, ...articles].map((id) => async () => await request(member, openArticle, [id])),
    );
    expect(await storm(opens)).toEqual({});
    const reads = members.flatMap((member) =>
      [...articles, ...articles].map(
        (id) => async () => await request(member, insertRead, [member, id]),
      ),
    );
    expect(await storm(reads)).toEqual({ "23505": memberCount * 2 });
    const { rows } = await pool.query(
      `select a.read_count, (select count(*)::integer from public.article_reads r where r.article_id = a.id) as reads
       from public.articles a`,
    );
    expect(rows).toEqual([
      { read_count: memberCount, reads: memberCount },
      { read_count: memberCount, reads: memberCount },
    ]);
    const counted = await pool.query(
      "select distinct jsonb_array_length(articles_read_by_category -> 'general') as n from public.user_progress",
    );
    expect(counted.rows).toEqual([{ n: 2 }]);
  });

  it("enrol and complete every module while modules come and go, and nothing drifts or deadlocks", async () => {
    const courses = await ids(
      `insert into public.courses (subcategory_id, slug, title, is_published)
         select s.id, 'c' || n, 'C', true from public.subcategories s, generate_series(1, 2) n returning id`,
    );
    await pool.query(
      `insert into public.course_modules (course_id, slug, title, module_order)
         select c.id, 'm' || n, 'M', n from public.courses c, generate_series(1, ${moduleCount}) n`,
    );
    const members = await ids("select id from public.profiles");
    const enrolments = members.flatMap((member) =>
      courses.flatMap((id) => [
        async () => await request(member, enrol, [member, id]),
        async () => await request(member, bump, [id]),
      ]),
    );
    expect(await storm(enrolments)).toEqual({});
    const modules = await ids("select id from public.course_modules");
    const completions = members.flatMap((member) =>
      modules.map((id) => async () => await request(member, insertCompletion, [member, id])),
    );
    const changes = Array.from({ length: 20 }, (_, n) => async () => {
      const sql = `insert into public.course_modules (course_id, slug, title, module_order)
        select id, 'extra-${n}', 'M', 9 from public.courses returning id`;
      const added = await ids(sql);
      await pool.query("delete from public.course_modules where id = any ($1)", [added]);
      return 0;
    });
    expect(await storm([...completions, ...changes])).toEqual({});
    const truth = await pool.query(
      `select c.enrollment_count, c.module_count,
         (select count(*)::integer from public.course_enrollments e where e.course_id = c.id) as enrolled,
         (select count(*)::integer from public.course_enrollments e
           where e.course_id = c.id and e.progress_percentage = 100 and e.completed_at is not null) as done
       from public.courses c`,
    );
    const course = {
      enrollment_count: memberCount,
      module_count: moduleCount,
      enrolled: memberCount,
      done: memberCount,
    };
    expect(truth.rows).toEqual([course, course]);
    const database = await pool.query(
      "select count(*)::integer as n from private.progress_ledger where kind = 'course_completed'",
    );
    expect(database.rows).toEqual([{ n: memberCount * 2 }]);
  });

  it("may complete the last two modules in the same instant", async () => {
    const [member = ""] = await ids(
      `with person as (insert into auth.users (id, email) values (gen_random_uuid(), 'two@example.test') returning id),
         face as (insert into public.profiles (id, onboarding_complete) select id, true from person),
         level as (insert into public.user_levels (user_id, current_level) select id, 2 from person),
         customer as (insert into public.stripe_customers (customer_id, user_id) select 'cus_two', id from person),
         paid as (insert into public.stripe_subscriptions (customer_id, subscription_id, status, price_id)
           values ('cus_two', 'sub_two', 'active', 'price_student_access'))
       select id from person`,
    );
    const [course = ""] = await ids(
      `insert into public.courses (subcategory_id, slug, title, is_published)
         select id, 'two', 'T', true from public.subcategories limit 1 returning id`,
    );
    const modules = await ids(
      `insert into public.course_modules (course_id, slug, title, module_order)
         select '${course}', 'm' || n, 'M', n from generate_series(1, 2) n returning id`,
    );
    await request(member, enrol, [member, course]);
    const [first, second] = [await pool.connect(), await pool.connect()];
    try {
      for (const client of [first, second]) {
        await client.query("begin");
        await client.query(becomeSql, [JSON.stringify({ role: "authenticated", sub: member })]);
      }
      const { rows } = await second.query<{ pid: number }>("select pg_backend_pid() as pid");
      await first.query(insertCompletion, [member, modules[0]]);
      const waiting = second.query(insertCompletion, [member, modules[1]]);
      const isWaiting = async () => {
        const blocked = "select cardinality(pg_blocking_pids($1)) > 0 as yes";
        return (await pool.query<{ yes: boolean }>(blocked, [rows[0]?.pid])).rows[0]?.yes === true;
      };
      await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
      await first.query("commit");
      await waiting;
      await second.query("commit");
    } finally {
      first.release();
      second.release();
    }
    const truth = await pool.query(
      `select progress_percentage, completed_at is not null as completed
       from public.course_enrollments where course_id = $1`,
      [course],
    );
    expect(truth.rows).toEqual([{ progress_percentage: 100, completed: true }]);
    await pool.query("delete from public.courses where id = $1", [course]);
  });

  it("leave, and the counts follow", async () => {
    const members = await ids(`select user_id as id from public.course_enrollments
        where course_id = (select min(id::text)::uuid from public.courses) order by 1 limit 40`);
    const goodbyes = members.map((id) => async () => {
      await pool.query("delete from auth.users where id = $1", [id]);
      return 1;
    });
    expect(await storm(goodbyes)).toEqual({});
    const { rows } = await pool.query("select distinct enrollment_count as n from public.courses");
    expect(rows).toEqual([{ n: memberCount - 40 }]);
  });
});
