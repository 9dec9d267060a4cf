import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { insertMessage, openRoom, raise } from "./chat-world.ts";
import { namedMember, newMark } from "./people-world.ts";
import { makeTestPact } from "./pact-world.ts";
import { test, type Row, type World } from "./world.ts";

/** The kinds of what the bell tells a member, newest first, without levels. */
async function told(world: World, member: string): Promise<unknown[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  return (bell as { items: Row[] }).items
    .map(({ kind }) => kind)
    .filter((kind) => kind !== "level_up");
}

async function someone(world: World, first = "Tom") {
  const last = newMark();
  return { id: await namedMember(world, first, last, "Baker"), at: `@${first} ${last}` };
}

async function submission(world: World, user_id: string, content: string, mentioned?: string[]) {
  const id = randomUUID();
  await world.insert(user_id, "learning_submissions", {
    id,
    user_id,
    submission_type: "failure",
    title: "A lesson",
    content,
    ...(mentioned ? { mentioned } : {}),
  });
  return id;
}

async function comment(world: World, user_id: string, on: string, content: string, ids: string[]) {
  const id = randomUUID();
  const row = { id, user_id, submission_id: on, content, mentioned: ids };
  await world.insert(user_id, "learning_submission_comments", row);
  return id;
}

describe("names that come with the text", () => {
  test("are told once, and again by no second call of an older client", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const message = await insertMessage(world, ada, `Ask ${tom.at}`, { mentioned: [tom.id] });
    expect(await told(world, tom.id)).toEqual(["mention"]);
    expect(message).toMatchObject({ mentioned: null });
    await world.run(tom.id, "select public.mark_notifications_read(now() + interval '1 hour')");
    await world.run(ada, "select public.mention_members($1, $2)", [message["id"], [tom.id]]);
    const { bell } = await world.one(tom.id, "select public.my_notifications() as bell");
    expect(bell).toMatchObject({ unread: 0, items: { length: 1 } });
    expect(await world.run(ada, "select * from public.mentions_in($1)", [[message["id"]]])).toEqual(
      [expect.objectContaining({ user_id: tom.id })],
    );
  });

  test("are told of a submission and of a comment", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const id = await submission(world, ada, `Thanks ${tom.at}`, [tom.id]);
    expect(await told(world, tom.id)).toEqual(["submission_mention"]);
    const said = await comment(world, ada, id, `And ${tom.at}`, [tom.id]);
    const kept =
      "select from private.mentions where user_id = $1 and (submission_id = $2 or comment_id = $3)";
    expect(await world.count("owner", kept, [tom.id, id, said])).toBe(2);
    const eve = await someone(world);
    await comment(world, ada, id, `And ${eve.at}`, [eve.id]);
    expect(await told(world, eve.id)).toEqual(["submission_mention"]);
  });

  test("are told of the outcome of a pact, once", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const pact = await makeTestPact(world, ada);
    const close = `select public.close_pact(pact_id => $1, outcome_id => $2, outcome => 'success',
      title => 'Ten calls', content => $3, mentioned => $4)`;
    const values = [pact, randomUUID(), `Thanks ${tom.at}`, [tom.id]];
    await world.run(ada, close, values);
    await world.run(ada, close, values);
    expect(await told(world, tom.id)).toEqual(["submission_mention"]);
  });

  test("are told by an edit that adds them, with text and names in one call", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const { id } = await insertMessage(world, ada, "Ask somebody");
    const edit = "select public.edit_message($1, $2, $3)";
    await world.run(ada, edit, [id, `Ask ${tom.at}`, [tom.id]]);
    expect(await told(world, tom.id)).toEqual(["mention"]);
    const shared = await submission(world, ada, "Thanks");
    const editSubmission = "select public.edit_submission($1, 'A lesson', $2, $3)";
    await world.run(ada, editSubmission, [shared, `Thanks ${tom.at}`, [tom.id]]);
    await world.run(ada, editSubmission, [shared, `Thanks ${tom.at}!`, [tom.id]]);
    expect(await told(world, tom.id)).toEqual(["submission_mention", "mention"]);
  });

  test("reach nobody who may not be named, is not in the text, or is the eleventh", async ({
    world,
  }) => {
    const [ada, low, silent, blocking] = [
      await world.member(),
      await someone(world),
      await someone(world),
      await someone(world),
    ];
    await raise(world, ada, 2);
    const room = { chat_room_id: await openRoom(world, 2) };
    await insertMessage(world, ada, `${low.at}`, { ...room, mentioned: [low.id] });
    await world.run(blocking.id, "select public.block_member($1)", [ada]);
    await insertMessage(world, ada, `Hello ${blocking.at}`, {
      mentioned: [silent.id, blocking.id],
    });
    for (const each of [low, silent, blocking]) expect(await told(world, each.id)).toEqual([]);
    const crowd = [];
    for (let left = 11; left > 0; left -= 1) crowd.push(await someone(world));
    const text = crowd.map(({ at }) => at).join(" ");
    const { id } = await insertMessage(world, ada, text, { mentioned: crowd.map((c) => c.id) });
    const stored = "select from public.notifications where kind = 'mention' and subject_id = $1";
    expect(await world.count("owner", stored, [id])).toBe(10);
  });

  test("tell nobody when the text is refused, or is another's by its id", async ({ world }) => {
    const [ada, mallory, tom] = [await world.member(), await world.member(), await someone(world)];
    const stored = "select from private.mentions where user_id = $1";
    const { id } = await insertMessage(world, ada, "Hello");
    const forge = `insert into public.chat_messages (id, user_id, chat_room_id, content, mentioned)
      values ($1, $2, 'general', $3, $4) on conflict do nothing`;
    await world.run(mallory, forge, [id, mallory, tom.at, [tom.id]]).catch(() => undefined);
    await world.refused(mallory, "42501", forge, [randomUUID(), ada, tom.at, [tom.id]]);
    const shared = await submission(world, ada, "Hello");
    const copy = `insert into public.learning_submissions (id, user_id, submission_type, title, content, mentioned)
      values ($1, $2, 'failure', 'A', $3, $4) on conflict do nothing`;
    await world.run(mallory, copy, [shared, mallory, tom.at, [tom.id]]);
    const edit = "select public.edit_message($1, $2, $3)";
    await world.refused(mallory, "FF316", edit, [id, tom.at, [tom.id]]);
    await world.refused(ada, "FF312", forge, [randomUUID(), ada, " ", [tom.id]]);
    expect(await told(world, tom.id)).toEqual([]);
    expect(await world.count("owner", stored, [tom.id])).toBe(0);
  });
});
