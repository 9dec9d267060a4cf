import type { Row, World } from "./world.ts";

/** Queues an e-mail: account, template, cause, data. */
export const enqueueSql = "select public.enqueue_email($1, $2, $3, $4) as added";

/** An account that may have e-mail. */
export async function recipient(world: World): Promise<string> {
  const id = await world.newcomer();
  await world.run("owner", "update auth.users set email_confirmed_at = now() where id = $1", [id]);
  return id;
}

/** Queues an e-mail and makes it due. */
export async function enqueue(world: World, user: string, template = "receipt", data: Row = {}) {
  const cause = `${template}:${user}`;
  await world.run("service_role", enqueueSql, [user, template, cause, data]);
  await makeDue(world, user);
}

/** Makes the e-mails of an account due before those of all others, of whatever kind. */
export async function makeDue(world: World, user: string): Promise<void> {
  const sql = `update private.email_outbox set next_attempt_at = '2000-01-01', priority = 1
    where user_id = $1`;
  await world.run("owner", sql, [user]);
}

/** Claims the next e-mail. Undefined when it is another account's. */
export async function claim(world: World, user: string): Promise<Row | undefined> {
  const address = `${user}@example.test`;
  const rows = await world.run("service_role", "select * from public.claim_email()");
  return rows.find((row) => row["address"] === address);
}

/** How the only e-mail of an account stands; `pause` in minutes until the next attempt. */
export async function queuedEmail(world: World, user: string): Promise<Row> {
  const sql = `select status, attempts, last_error, claim, sent_at is not null as is_sent,
      round(extract(epoch from next_attempt_at - clock_timestamp()) / 60)::integer as pause
    from private.email_outbox where user_id = $1`;
  return await world.one("owner", sql, [user]);
}
