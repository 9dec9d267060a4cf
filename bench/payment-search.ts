import { fileURLToPath } from "node:url";
import pg from "pg";
import { startFixtureHost } from "../tests/support/start-fixture-host.ts";
import { signInAdmin, timeOf } from "./admin-statement.ts";
import type { Finding } from "./rest-read.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const paymentCount = 100_000;
const memberCount = 20_000;
/** Limit for the slowest of the searches inside the database, in milliseconds. */
const maxSearchMs = 100;

/** Five payments with invoices for each of 20,000 members; one payment in a hundred was refunded. Triggers are left out. */
const fillSql = `
  set session_replication_role = replica;
  create temporary table person as
    select gen_random_uuid() as id, n, initcap(translate(to_hex(n % 400 + 4096), '0123456789', 'ghijklmnop')) as first,
      initcap(translate(to_hex(n % 1000 + 65536), '0123456789', 'qrstuvwxyz')) as last
    from generate_series(1, ${memberCount}) n;
  create temporary table payment as
    select n, 'ch_' || n as charge_id, 'in_' || n as invoice_id, 'cus_' || (n % ${memberCount} + 1) as customer_id,
      now() - n * interval '1 minute' as paid_at
    from generate_series(1, ${paymentCount}) n;
  insert into auth.users (id, email, created_at)
    select id, lower(first || '.' || last || n || '@example.test'), now() from person;
  insert into public.profiles (id, first_name, last_name) select id, first, last from person;
  insert into public.stripe_customers (customer_id, user_id) select 'cus_' || n, id from person;
  insert into private.member_search_index (user_id, email, name, search_key, joined_at)
    select id, u.email, first || ' ' || last, private.search_key(first || ' ' || last || ' ' || u.email), u.created_at
    from person join auth.users u using (id);
  insert into public.invoices (invoice_id, customer_id, number, status, reason, currency, total_pence, amount_due_pence,
      amount_paid_pence, issued_at)
    select invoice_id, customer_id, 'FF-' || lpad(n::text, 6, '0'), 'paid', 'subscription_cycle', 'gbp', 5000, 5000, 5000, paid_at
    from payment;
  insert into private.billing_charges (charge_id, customer_id, is_refunded, amount_refunded, invoice_id, amount)
    select charge_id, customer_id, n % 100 = 0, case when n % 100 = 0 then 5000 else 0 end, invoice_id, 5000 from payment;
  insert into private.payment_records (kind, provider_id, status, charge_id, customer_id, amount, currency, happened_at)
    select 'payment', charge_id, 'succeeded', charge_id, customer_id, 5000, 'gbp', paid_at from payment order by n desc;
  insert into private.payment_records (kind, provider_id, status, charge_id, customer_id, amount, currency, happened_at)
    select 'refund', 're_' || n, 'succeeded', charge_id, customer_id, 5000, 'gbp', paid_at from payment where n % 100 = 0;
  set session_replication_role = origin;
  vacuum analyze private.member_search_index;
  vacuum analyze auth.users;
  vacuum analyze public.profiles;
  vacuum analyze public.stripe_customers;
  vacuum analyze public.invoices;
  vacuum analyze private.billing_charges;
  vacuum analyze private.payment_records`;

/** What an administrator types or chooses above the list of payments. */
const searches: Record<string, string> = {
  "the newest": "",
  "part of a name":
    "search => (select substr(first, 2) || ' ' || substr(last, 2) from person where n = 4321)",
  "part of an address": "search => '4321@exam'",
  "a common part": "search => 'example.test'",
  "two letters": "search => 'zz'",
  nothing: "search => 'nobodyatall'",
  "an invoice": "search => 'FF-054321'",
  "a payment": "search => 'ch_54321'",
  "state refunded": "state => 'refunded'",
  "state disputed": "state => 'disputed'",
  "a day long ago": "since => now() - interval '60 days', until => now() - interval '59 days'",
  "a deep page": "before_time => now() - interval '65 days', before_id => 'ch_'",
};

/** An administrator's search among 100,000 payments, and the figures above the list. */
export async function benchPaymentSearch(): Promise<Finding> {
  const { running, stop } = await startFixtureHost({}, root);
  const owner = new pg.Client({ connectionString: running.databaseUrl });
  try {
    await owner.connect();
    for (const statement of fillSql.split(";")) await owner.query(statement);
    await signInAdmin(owner);
    const times: [string, number][] = [];
    for (const [what, filters] of Object.entries(searches)) {
      times.push([what, await timeOf(owner, `select * from public.admin_payments(${filters})`)]);
    }
    times.push(["figures", await timeOf(owner, "select * from public.admin_money_figures()")]);
    times.push(["refunds", await timeOf(owner, "select * from public.admin_refunds()")]);
    const page = "select payment_id from public.admin_payments(search => 'FF-054321')";
    const { rows } = await owner.query<{ payment_id: string }>(page);
    const isFound = rows.length === 1 && rows[0]?.payment_id === "ch_54321";
    const listed = times.map(([what, ms]) => `${what} ${ms.toFixed(1)}`).join(", ");
    return {
      title: `a payment among ${paymentCount} payments`,
      figures: `ms in the database (limit ${maxSearchMs}): ${listed}${isFound ? "" : "; the payment was not found"}`,
      holds: isFound && times.every(([, ms]) => ms <= maxSearchMs),
    };
  } finally {
    await owner.end();
    await stop();
  }
}
