import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leaveNoFolder } from "../../tools/leave-nothing.mjs";
import { startProduct, type Product } from "../../tools/product.ts";
import { SeededRandom } from "../support/seeded-random.ts";

/**
 * What people do to their own work ($1) and to that of others ($2), each at a random place. The rows are committed before an
 * account is deleted, because PostgreSQL checks those of the same transaction more strictly.
 */
const actions = {
  answer: `insert into public.chat_messages (user_id, chat_room_id, content, message_type, parent_message_id)
    select $1, m.chat_room_id, 'An answer', 'reply', m.id from public.chat_messages m
    where m.user_id in ($1, $2) order by random() limit 1`,
  like: `insert into public.message_likes (user_id, message_id) select $1, m.id from public.chat_messages m
    where m.user_id in ($1, $2) order by random() limit 3 on conflict do nothing`,
  react: `insert into public.message_reactions (user_id, message_id, reaction) select $1, m.id, 'thanks'
    from public.chat_messages m where m.user_id in ($1, $2) order by random() limit 3 on conflict do nothing`,
  pin: `insert into private.room_pins (message_id, chat_room_id, pinned_by) select m.id, m.chat_room_id, $1
    from public.chat_messages m where m.user_id in ($1, $2) order by random() limit 1 on conflict do nothing`,
  mention: `insert into private.mentions (message_id, user_id, name) select m.id, $1, 'Ada' from public.chat_messages m
    where m.user_id in ($1, $2) order by random() limit 1 on conflict do nothing`,
  report: `insert into private.reports (kind, subject_id, message_id, author_id, user_id, reason, snapshot)
    select 'message', m.id, m.id, m.user_id, $1, 'Rude', '{}' from public.chat_messages m
    where m.user_id = $2 order by random() limit 1`,
  "like a submission": `insert into public.learning_submission_likes (user_id, submission_id) select $1, s.id
    from public.learning_submissions s where s.user_id in ($1, $2) order by random() limit 2 on conflict do nothing`,
  comment: `insert into public.learning_submission_comments (user_id, submission_id, content) select $1, s.id, 'A comment'
    from public.learning_submissions s where s.user_id in ($1, $2) order by random() limit 1`,
  promise: `insert into private.pacts (submission_id, due_on) select s.id, current_date + 1
    from public.learning_submissions s where s.user_id in ($1, $2) order by random() limit 1 on conflict do nothing`,
  witness: `insert into private.pact_witnesses (submission_id, user_id) select p.submission_id, $1 from private.pacts p
    join public.learning_submissions s on s.id = p.submission_id where s.user_id = $2 order by random() limit 1`,
  keep: `update private.pacts p set outcome = 'success', closed_at = now(), outcome_id = (
      select s.id from public.learning_submissions s where s.user_id in ($1, $2) and not exists (
        select from private.pacts o where o.outcome_id = s.id) order by random() limit 1)
    where p.submission_id = (select o.submission_id from private.pacts o order by random() limit 1)`,
  read: `insert into public.article_opens (user_id, article_id, last_opened_on) select $1, a.id, current_date
    from public.articles a order by a.author_id is distinct from $2, random() limit 2 on conflict do nothing`,
  "rate an article": `insert into private.content_ratings (user_id, article_id, stars, sentence) select $1, a.id, 5, 'Good'
    from public.articles a order by a.author_id is distinct from $2, random() limit 1`,
  "rate a course": `insert into private.content_ratings (user_id, course_id, stars) select $1, c.id, 4
    from public.courses c order by c.mentor_id is distinct from $2, random() limit 1`,
  ask: `insert into private.content_questions (user_id, article_id, question, answer, answered_by, answered_at)
    select $1, a.id, 'Why is it so?', 'Because it is.', $2, now()
    from public.articles a order by a.author_id is distinct from $2, random() limit 1`,
  enrol: `insert into public.course_enrollments (user_id, course_id) select $1, c.id from public.courses c
    order by c.mentor_id is distinct from $2, random() limit 1 on conflict do nothing`,
  complete: `insert into public.module_completions (user_id, module_id) select $1, m.id from public.course_modules m
    join public.courses c on c.id = m.course_id join public.course_enrollments e on e.course_id = c.id
    where e.user_id = $1 order by c.mentor_id is distinct from $2, random() limit 2 on conflict do nothing`,
  converse: `insert into private.direct_conversations (first_id, second_id)
    values (least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid)) on conflict do nothing`,
  write: `insert into public.direct_messages (id, conversation_id, user_id, content, parent_message_id)
    select gen_random_uuid(), c.id, $1, 'A word', (
      select m.id from public.direct_messages m where m.conversation_id = c.id order by random() limit 1)
    from private.direct_conversations c
    where c.first_id = least($1::uuid, $2::uuid) and c.second_id = greatest($1::uuid, $2::uuid)`,
  block: `insert into private.member_blocks (user_id, blocked_id) values ($1, $2) on conflict do nothing`,
  "comment a draft": `insert into public.draft_comments (draft_id, version, author_id, comment)
    select v.draft_id, v.version, $1, 'Look here' from public.draft_versions v join public.drafts d on d.id = v.draft_id
    order by d.owner_id is distinct from $2, random() limit 1`,
} as const;

const rounds = 40;
const actionsARound = 90;
const seed = Date.now() % 1_000_000;

let folder: string;
let product: Product;
let owner: pg.Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-deletion-"));
  leaveNoFolder(folder);
  product = await startProduct({
    env: { PORT: "0", DATA_DIR: folder, DEMO: "1" },
    log: pino({ level: "silent" }),
    runSchedules: false,
  });
  owner = new pg.Client({ connectionString: product.host.context.db.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await product.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Deletes an account as the auth service does; `end` decides whether it stays so. @returns what refused it. */
async function deleteAccount(id: string, end: "commit" | "rollback"): Promise<string | undefined> {
  await owner.query("begin");
  try {
    await owner.query("set local role supabase_auth_admin");
    await owner.query("delete from auth.users where id = $1", [id]);
    await owner.query(end);
    return undefined;
  } catch (error) {
    await owner.query("rollback");
    return String(error);
  }
}

it("an account can be deleted after whatever people did to each other's work", async () => {
  const random = new SeededRandom(seed);
  const { rows } = await owner.query<{ id: string }>("select id from public.profiles order by id");
  const everybody = rows.map(({ id }) => id);
  await owner.query("select setseed($1)", [random.next()]);
  const done = new Set<string>();
  const refusals: string[] = [];

  for (let round = 0; round < rounds; round += 1) {
    const few = random.shuffled(everybody).slice(0, 3);
    for (let turn = 0; turn < actionsARound; turn += 1) {
      const [name, sql] = random.shuffled(Object.entries(actions))[0] ?? ["", ""];
      const [one, other] = [few[random.between(0, 2)], few[random.between(0, 2)]];
      // Some of it is refused, such as what was done before, or to oneself.
      const result = await owner.query(sql, [one, other]).catch(() => undefined);
      if ((result?.rowCount ?? 0) > 0) done.add(name);
    }
    for (const member of few) {
      const refusal = await deleteAccount(member, "rollback");
      if (refusal !== undefined) refusals.push(`round ${round}: ${refusal}`);
    }
  }
  expect(refusals, `seed ${seed}`).toEqual([]);
  // What was always refused has shown nothing.
  expect([...done].toSorted()).toEqual(Object.keys(actions).toSorted());

  for (const member of random.shuffled(everybody)) {
    expect(await deleteAccount(member, "commit"), `seed ${seed}`).toBeUndefined();
  }
  expect((await owner.query("select from auth.users")).rowCount).toBe(0);
});
