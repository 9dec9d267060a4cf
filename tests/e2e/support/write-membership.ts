import type pg from "pg";
import { poolOfOwner } from "./owner-database.ts";

/** What the first payment of a plan leaves in the database. The card provider knows nothing of it. */
async function writePayment(client: pg.PoolClient, id: string, plan: string): Promise<void> {
  await client.query("insert into public.stripe_customers (customer_id, user_id) values ($1, $2)", [
    `cus_${id}`,
    id,
  ]);
  await client.query(
    `insert into public.stripe_subscriptions (customer_id, subscription_id, status, price_id, current_period_start,
       current_period_end, payment_method_brand, payment_method_last4, payment_method_expires)
     select 'cus_' || $1, 'sub_' || $1, 'active', p.price_id, extract(epoch from now())::bigint,
       extract(epoch from now() + interval '1 month')::bigint, 'visa', '4242', '2034-12'
     from public.plans p where p.id = $2`,
    [id, plan],
  );
  await client.query("select private.set_role_from_plan($1, private.plan_role($1))", [id]);
}

/** The answers that the nine steps of onboarding ask for, a document that waits, and the first level. */
async function writeOnboarding(client: pg.PoolClient, id: string, name: string): Promise<void> {
  await client.query(
    `insert into public.onboarding_responses (user_id, page_number, question, answer)
     select $1, a.page, a.question, a.answer
     from (values
       (6, 'current_situation', 'Employed four days a week.'), (6, 'biggest_challenge', 'The first ten customers.'),
       (6, 'goals_6_months', 'Three paying clients.'), (6, 'goals_1_year', 'Half of my income from my own work.'),
       (6, 'motivation', 'To choose my hours.'), (6, 'commitment_level', '8'),
       (7, 'first_name', $2), (7, 'last_name', 'Whitfield'), (7, 'occupation', 'Optician'), (7, 'bio', '')
     ) a (page, question, answer)`,
    [id, name],
  );
  await client.query(
    `insert into public.user_verifications (user_id, document_type, document_url, status)
     values ($1::uuid, 'passport', $1::text || '-verification-1.png', 'pending')`,
    [id],
  );
  await client.query(
    `insert into public.onboarding_progress (user_id, current_step, completed_steps, data)
     values ($1, 9, '{1,2,3,4,5,6,7,8}', '{}')`,
    [id],
  );
  await client.query(
    `update public.profiles set first_name = $2, last_name = 'Whitfield', occupation = 'Optician', bio = '',
       onboarding_complete = true
     where id = $1`,
    [id, name],
  );
  await client.query(
    "insert into public.user_levels (user_id, current_level, unlocked_levels) values ($1, 1, '{0,1}')",
    [id],
  );
}

/**
 * Makes a member of an account in one transaction. The calls of the app, which the tests of joining follow, take twenty
 * times as long.
 * @param firstName ends onboarding as well; without it the member has only paid
 */
export async function writeMembership(id: string, plan: string, firstName?: string): Promise<void> {
  const client = await poolOfOwner().connect();
  try {
    await client.query("begin");
    await writePayment(client, id, plan);
    if (firstName !== undefined) await writeOnboarding(client, id, firstName);
    await client.query("commit");
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
