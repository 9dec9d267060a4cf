import { randomUUID } from "node:crypto";
import type pg from "pg";
import { expect, test } from "vitest";
import { reportSql } from "./report-world.ts";
import { connectTestOwner, untilBlocked, World } from "./world.ts";

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

test.for(["submission", "comment"] as const)(
  "a reported %s is deleted while an administrator removes it, without a deadlock",
  async (kind) => {
    const [setup, author, decider] = [
      await connectTestOwner(),
      await connectTestOwner(),
      await connectTestOwner(),
    ];
    try {
      await setup.query("begin");
      const world = new World(setup);
      const [eve, bob, admin] = [await world.member(), await world.member(), await world.admin()];
      const text = { user_id: eve, content: "Buy coins" };
      const row = { ...text, submission_type: "failure", title: "A lesson" };
      const { id } = await world.insert(eve, "learning_submissions", row);
      const said = { ...text, submission_id: id };
      const { id: comment } = await world.insert(eve, "learning_submission_comments", said);
      const like = { user_id: bob, submission_id: id };
      await world.insert(bob, "learning_submission_likes", like);
      const subject = kind === "comment" ? comment : id;
      await world.run(bob, reportSql, [kind, subject, "Spam"]);
      const newest = `select id from private.reports where ${kind}_id = $1`;
      const { id: report } = await world.one("owner", newest, [subject]);
      await setup.query("commit");
      const claims = { role: "authenticated", sub: admin, session_id: admin, aal: "aal2" };
      const { rows } = await decider.query<{ pid: number }>(
        "select pg_backend_pid() as pid, set_config('request.jwt.claims', $1, false)",
        [JSON.stringify(claims)],
      );
      // Deleting locks the likes, the comments, the submission and then the reports.
      const [first, rest] =
        kind === "comment"
          ? ["learning_submission_comments where id", "learning_submission_comments where id"]
          : ["learning_submission_likes where submission_id", "learning_submissions where id"];
      await author.query("begin");
      await author.query(`select from public.${first} = $1 for update`, [subject]);
      const decided = decider
        .query("select private.resolve_report($1, 'remove', 'Spam')", [report])
        .then(
          () => "decided",
          (error: { code?: string }) => error.code,
        );
      await untilBlocked(setup, rows[0]?.pid ?? 0);
      await author.query(`delete from public.${rest} = $1`, [subject]);
      await author.query("commit");
      expect(await decided).toBe("FF320");
      for (const user of [eve, bob, admin]) {
        await setup.query("delete from auth.users where id = $1", [user]);
      }
    } finally {
      await Promise.all([setup.end(), author.end(), decider.end()]);
    }
  },
);

test("a comment is reported while its author's account is deleted, without a deadlock", async () => {
  const [setup, deleter, reporter] = [
    await connectTestOwner(),
    await connectTestOwner(),
    await connectTestOwner(),
  ];
  try {
    await setup.query("begin");
    const world = new World(setup);
    const [eve, bob] = [await world.member(), await world.member()];
    const text = { user_id: eve, content: "Buy coins" };
    const row = { ...text, submission_type: "failure", title: "A lesson" };
    const { id } = await world.insert(eve, "learning_submissions", row);
    const said = { ...text, submission_id: id };
    const { id: comment } = await world.insert(eve, "learning_submission_comments", said);
    await setup.query("commit");
    const claims = { role: "authenticated", sub: bob, session_id: bob, aal: "aal1" };
    await reporter.query(
      "select set_config('request.jwt.claims', $1, false), set_config('lock_timeout', '10s', false)",
      [JSON.stringify(claims)],
    );
    // A deletion holds the account before it reaches what the account wrote, so a report must not wait for the account.
    await deleter.query("begin");
    await deleter.query("select from auth.users where id = $1 for update", [eve]);
    await reporter.query("select private.report('comment', $1, 'Spam')", [comment]);
    await deleter.query("delete from auth.users where id = $1", [eve]);
    await deleter.query("commit");
    const left = "select from private.reports where subject_id = $1";
    expect((await setup.query(left, [comment])).rowCount).toBe(0);
    await setup.query("delete from auth.users where id = $1", [bob]);
  } finally {
    await Promise.all([setup.end(), deleter.end(), reporter.end()]);
  }
});
