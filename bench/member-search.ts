import { fileURLToPath } from "node:url";
import pg from "pg";
import { startFixtureHost } from "../tests/support/start-fixture-host.ts";
import { signInAdmin, timeOf } from "./admin-statement.ts";
import type { Finding } from "./rest-read.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const memberCount = 100_000;
/** Limit for the slowest of the searches inside the database, in milliseconds. */
const maxSearchMs = 100;

/** Accounts with names of 400 first and 1,000 last names, of which four in five pay. Triggers are left out. */
const fillSql = `
  set session_replication_role = replica;
  create temporary table person as
    select gen_random_uuid() as id, n, initcap(translate(to_hex(n % 400 + 4096), '0123456789', 'ghijklmnop')) as first,
      initcap(translate(to_hex(n % 1000 + 65536), '0123456789', 'qrstuvwxyz')) as last
    from generate_series(1, ${memberCount}) n;
  insert into auth.users (id, email, created_at)
    select id, lower(first || '.' || last || n || '@example.test'), now() - n * interval '1 minute' from person;
  insert into public.profiles (id, first_name, last_name) select id, first, last from person;
  insert into public.user_levels (user_id) select id from person where n % 10 <> 0;
  insert into public.stripe_customers (customer_id, user_id) select 'cus_' || n, id from person where n % 10 <> 0;
  insert into public.stripe_subscriptions (customer_id, subscription_id, status)
    select 'cus_' || n, 'sub_' || n, case when n % 100 = 1 then 'past_due' when n % 10 = 1 then 'canceled' else 'active' end
    from person where n % 10 <> 0;
  insert into private.member_search_index (user_id, email, name, search_key, joined_at)
    select id, u.email, first || ' ' || last, private.search_key(first || ' ' || last || ' ' || u.email), u.created_at
    from person join auth.users u using (id);
  set session_replication_role = origin;
  vacuum analyze private.member_search_index;
  vacuum analyze auth.users;
  vacuum analyze public.profiles;
  vacuum analyze public.user_levels;
  vacuum analyze public.stripe_customers;
  vacuum analyze public.stripe_subscriptions`;

/** What an administrator types for the member whose number is 54,321, and the filters of the page. */
const searches: Record<string, string> = {
  "part of a name":
    "search => (select substr(first, 2) || ' ' || substr(last, 2) from person where n = 54321)",
  "part of an address": "search => '54321@exam'",
  "a common part": "search => 'example.test'",
  "two letters": "search => 'zz'",
  nothing: "search => 'nobodyatall'",
  "past due, by name": "membership => 'past_due', sort => 'name'",
};

/** An administrator's search among 100,000 accounts, compared with reading every account in the same run. */
export async function benchMemberSearch(): Promise<Finding> {
  const { running, stop } = await startFixtureHost({}, root);
  const owner = new pg.Client({ connectionString: running.databaseUrl });
  try {
    await owner.connect();
    for (const statement of fillSql.split(";")) await owner.query(statement);
    await signInAdmin(owner);
    const times: [string, number][] = [];
    for (const [what, filters] of Object.entries(searches)) {
      times.push([what, await timeOf(owner, `select * from public.member_page(${filters})`)]);
    }
    const page = "select * from public.member_page(search => '54321@exam')";
    const { rows } = await owner.query<{ email: string }>(page);
    const isFound = rows.length === 1 && rows[0]?.email.includes("54321@") === true;
    const reading = await timeOf(
      owner,
      "select d.* from private.member_search_index d join auth.users u on u.id = d.user_id where u.email || d.name ilike '%54321@exam%'",
    );
    const listed = times.map(([what, ms]) => `${what} ${ms.toFixed(1)}`).join(", ");
    return {
      title: `a member among ${memberCount} accounts`,
      figures: `ms in the database (limit ${maxSearchMs}): ${listed}; reading every account ${reading.toFixed(0)}${isFound ? "" : "; the member was not found"}`,
      holds: isFound && times.every(([, ms]) => ms <= maxSearchMs),
    };
  } finally {
    await owner.end();
    await stop();
  }
}
