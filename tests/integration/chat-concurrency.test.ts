import { beforeAll, expect, it } from "vitest";
import { member, owner, stored } from "../security/members.ts";
import { postMessage } from "../security/rooms.ts";
import { serviceRole, type Account } from "../support/clients.ts";

// No other test counts the participants of this room.
const roomId = "productivity";
const memberCount = 6;
const roundCount = 8;

let members: Account[];
beforeAll(async () => {
  members = await Promise.all(Array.from({ length: memberCount }, async () => await member()));
});

const failuresOf = (answers: { error: unknown }[]) =>
  answers.map(({ error }) => error).filter((error) => error !== null);

it("likes of many messages at once, in any order, neither collide nor miscount", async () => {
  const [author] = members;
  if (author === undefined) throw new Error("no member was created");
  const ids: string[] = [];
  for (let n = 1; n <= 12; n += 1) ids.push(await postMessage(author, `No. ${n}`));
  for (let round = 1; round <= roundCount; round += 1) {
    // Every second member likes the messages in reverse order; in odd rounds some remove their likes meanwhile.
    const work = members.map(async ({ client, id }, place) => {
      const order = place % 2 === 0 ? ids : ids.toReversed();
      const likes = () => client.from("message_likes");
      return round % 2 === 0 && place % 3 === 0
        ? await likes().delete().in("message_id", order)
        : await likes().upsert(
            order.map((message_id) => ({ user_id: id, message_id })),
            { ignoreDuplicates: true },
          );
    });
    expect(failuresOf(await Promise.all(work))).toEqual([]);
  }
  const { rows } = await owner.query(
    `select m.id, m.like_count, count(l.*)::int as likes from public.chat_messages m
       left join public.message_likes l on l.message_id = m.id
       where m.id = any ($1) group by m.id`,
    [ids],
  );
  expect(rows).toHaveLength(12);
  expect(rows.filter((row) => row.like_count !== row.likes)).toEqual([]);
  for (const { id } of members.slice(1)) {
    expect(await stored("user_progress", "user_id", id)).toMatchObject([
      { message_engagements: 12 },
    ]);
  }
});

it("deleting an account while others like its messages causes no errors", async () => {
  const [leaver, ...others] = [await member(), ...members];
  const ids: string[] = [];
  for (let n = 1; n <= 5; n += 1) ids.push(await postMessage(leaver, `Bye ${n}`));
  const kept = await postMessage(others[0] ?? leaver, "Still here");
  await leaver.client.from("message_likes").insert({ user_id: leaver.id, message_id: kept });
  const likes = others.flatMap(({ client, id }) =>
    [kept, ...ids].map(
      async (message_id) => await client.from("message_likes").insert({ user_id: id, message_id }),
    ),
  );
  const [answers] = await Promise.all([
    Promise.all(likes),
    owner.query("delete from auth.users where id = $1", [leaver.id]),
  ]);
  // A like that came too late is refused because the message is gone, by a rule or a foreign key.
  const codes = failuresOf(answers).map((error) => (error as { code: string }).code);
  expect(codes.filter((code) => code !== "FF316" && code !== "23503")).toEqual([]);
  expect(await stored("chat_messages", "user_id", leaver.id)).toEqual([]);
  expect(await stored("chat_messages", "id", kept)).toMatchObject([{ like_count: memberCount }]);
});

it("joining, renewing, leaving and sweeping at once end with a true count", async () => {
  const present = async () =>
    (await owner.query("select from private.room_leases where chat_room_id = $1", [roomId]))
      .rowCount;
  const count = async () => (await stored("chat_rooms", "id", roomId))[0]?.["participant_count"];
  for (let round = 1; round <= roundCount; round += 1) {
    if (round % 2 === 0) {
      await owner.query(
        "update private.room_leases set expires_at = now() - interval '1 second' where chat_room_id = $1",
        [roomId],
      );
    }
    const work = members.flatMap(({ client }, place) => {
      const call = async (name: string) => await client.rpc(name, { room_id: roomId });
      const calls = ["increment_participant_count", "increment_participant_count"];
      if ((place + round) % 2 === 0) calls.push("decrement_participant_count");
      return calls.map(call);
    });
    const sweep = serviceRole().rpc("expire_room_leases");
    expect(failuresOf(await Promise.all([...work, sweep, sweep]))).toEqual([]);
    expect(await count()).toBe(await present());
  }
  for (const { client } of members) {
    await client.rpc("decrement_participant_count", { room_id: roomId });
  }
  expect([await count(), await present()]).toEqual([0, 0]);
});
