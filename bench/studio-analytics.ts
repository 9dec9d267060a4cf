import { fileURLToPath } from "node:url";
import pg from "pg";
import { startFixtureHost } from "../tests/support/start-fixture-host.ts";
import { signInAdmin, timeOf } from "./admin-statement.ts";
import type { Finding } from "./rest-read.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const enrolmentCount = 100_100;
const lessonCount = 60;
/** Of 60 lessons members complete 30 on average, spread over the course's year: 3,000,000 completions. */
const completionCount = 3_000_000;
/** Limits inside the database, in milliseconds. */
const maxPageMs = 200;
const maxDayMs = 5000;
const shelf = "00000000-0000-4000-8000-00000000c000";
const course = "00000000-0000-4000-8000-00000000c001";

const fillSql = `
  set session_replication_role = replica;
  create temporary table person as
    select gen_random_uuid() as id, n, now() - n * interval '5 minutes' as enrolled_at from generate_series(1, ${enrolmentCount}) n;
  create temporary table lesson as select gen_random_uuid() as id, n from generate_series(1, ${lessonCount}) n;
  insert into auth.users (id, email, created_at) select id, n || '@example.test', enrolled_at from person;
  insert into public.profiles (id, first_name, last_name) select id, 'Ada', 'Byron ' || n from person;
  insert into public.subcategories (id, main_category, slug, name) values ('${shelf}', 'general', 'measured', 'Measured');
  insert into public.courses (id, subcategory_id, slug, title, is_published, enrollment_count, module_count)
    values ('${course}', '${shelf}', 'measured', 'Measured', true, ${enrolmentCount}, ${lessonCount});
  insert into public.courses (subcategory_id, slug, title, is_published, enrollment_count)
    select '${shelf}', 'other-' || n, 'Other', true, 100 from generate_series(1, 200) n;
  insert into public.course_modules (id, course_id, slug, title, module_order) select id, '${course}', 'lesson-' || n, 'Lesson ' || n, n from lesson;
  insert into public.course_enrollments (user_id, course_id, created_at, completed_at, progress_percentage)
    select id, '${course}', enrolled_at,
      case when n % 61 = 60 then least(now(), enrolled_at + n % 40 * interval '1 day') end, n % 61 * 100 / 60
    from person;
  insert into public.module_completions (user_id, module_id, created_at)
    select p.id, l.id, least(now(), p.enrolled_at + l.n * interval '12 hours') from person p join lesson l on l.n <= p.n % 61
    order by 3;
  set session_replication_role = origin;
  vacuum analyze public.course_enrollments;
  vacuum analyze public.module_completions;
  vacuum analyze public.course_modules;
  vacuum analyze public.courses;
  vacuum analyze public.profiles`;

/** A mentor's analytics of a course with 100,000 enrolments and 3,000,000 completed lessons, and the counting of its days. */
export async function benchStudioAnalytics(): Promise<Finding> {
  const { running, stop } = await startFixtureHost({}, root);
  const owner = new pg.Client({ connectionString: running.databaseUrl });
  try {
    await owner.connect();
    for (const statement of fillSql.split(";")) await owner.query(statement);
    await signInAdmin(owner);
    const { rows } = await owner.query<{ events: number }>(
      "select count(*)::integer as events from public.module_completions",
    );
    const events = rows[0]?.events ?? 0;
    const firstRun = await timeOf(owner, "select private.count_content_days('2000-01-01')");
    await owner.query("vacuum analyze private.content_days");
    // An hour after midnight the newest finished day is yesterday.
    const day = await timeOf(
      owner,
      "select private.count_content_days((now() - interval '25 hours')::date)",
    );
    const pages: [string, number][] = [];
    for (const [what, statement] of [
      ["course", `select public.my_course_analytics('${course}')`],
      ["students", `select * from public.my_students('${course}')`],
      ["all texts", "select * from public.my_content_figures()"],
    ] as const) {
      pages.push([what, await timeOf(owner, statement)]);
    }
    const listed = pages.map(([what, ms]) => `${what} ${ms.toFixed(1)}`).join(", ");
    return {
      title: `analytics of ${enrolmentCount} enrolments and ${events} completed lessons`,
      figures: `ms in the database (limit ${maxPageMs}): ${listed}; counting one day ${day.toFixed(0)} (limit ${maxDayMs}), all days ${firstRun.toFixed(0)}`,
      holds:
        events >= completionCount && day <= maxDayMs && pages.every(([, ms]) => ms <= maxPageMs),
    };
  } finally {
    await owner.end();
    await stop();
  }
}
