import { randomUUID } from "node:crypto";
import type pg from "pg";
import { expect, test } from "vitest";
import { connectTestOwner, untilBlocked } from "./world.ts";

const insert = `insert into public.learning_submissions (user_id, submission_type, title, content)
  values ($1, 'success', $2, $3)`;
const commentSql =
  "insert into public.learning_submission_comments (user_id, submission_id, content) values ($1, $2, $3)";

test("a submission and its comment are deleted concurrently without a deadlock", async () => {
  const [setup, first, second] = [
    await connectTestOwner(),
    await connectTestOwner(),
    await connectTestOwner(),
  ];
  try {
    const user = randomUUID();
    const one = async (client: pg.Client, sql: string, values: unknown[] = []) =>
      (await client.query<{ id: string }>(sql, values)).rows[0]?.id ?? "";
    await setup.query("insert into auth.users (id, email) values ($1, $2)", [
      user,
      `${user}@example.test`,
    ]);
    await setup.query("insert into public.profiles (id) values ($1)", [user]);
    const id = await one(setup, `${insert} returning id`, [user, "Ten clients", "How."]);
    const comment = await one(setup, `${commentSql} returning id`, [user, id, "Like this."]);
    const claims = JSON.stringify({ role: "authenticated", sub: user });
    const pid = await one(second, "select pg_backend_pid()::text as id");
    await second.query("select set_config('request.jwt.claims', $1, false)", [claims]);
    // Deleting a comment locks its row before the submission's.
    await first.query("begin");
    await first.query("select from public.learning_submission_comments where id = $1 for update", [
      comment,
    ]);
    const gone = second.query("select private.delete_submission($1)", [id]);
    await untilBlocked(setup, Number(pid));
    await first.query("delete from public.learning_submission_comments where id = $1", [comment]);
    await first.query("commit");
    await gone;
    const left = "select from public.learning_submissions where id = $1";
    expect((await setup.query(left, [id])).rowCount).toBe(0);
    await setup.query("delete from auth.users where id = $1", [user]);
  } finally {
    await Promise.all([setup.end(), first.end(), second.end()]);
  }
});
