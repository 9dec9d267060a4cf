import { describe, expect } from "vitest";
import { joinSql, openRoom, raise, readOverview } from "./chat-world.ts";
import { test } from "./world.ts";

describe("the faces of a room", () => {
  test("are a few who are there, for those who may read it, without those they blocked", async ({
    world,
  }) => {
    const room = await openRoom(world, 2);
    const others: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const member = await world.member();
      await raise(world, member, 2);
      await world.run(member, joinSql, [room]);
      others.push(member);
    }
    others.sort();
    const ada = await world.member();
    const faces = async () => (await readOverview(world, ada, room))["faces"];
    expect(await faces()).toEqual([]);
    await raise(world, ada, 2);
    const shown = (ids: readonly string[]) =>
      ids.map((id) => ({ id, name: "Ada Byron", avatar_url: null }));
    expect(await faces()).toEqual(shown(others.slice(0, 4)));
    const block = "insert into private.member_blocks (user_id, blocked_id) values ($1, $2)";
    await world.run("owner", block, [others[0], ada]);
    // A gap would tell the blocked member of the block.
    expect(await faces()).toEqual(shown(others.slice(0, 4)));
    await world.run("owner", block, [ada, others[0]]);
    expect(await faces()).toEqual(shown(others.slice(1, 5)));
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await faces()).toEqual([]);
  });

  test("are those who wrote last when nobody is there", async ({ world }) => {
    const room = await openRoom(world);
    const [ada, bob, cy] = [await world.member(), await world.member(), await world.member()];
    const write = async (author: string, secondsAgo: number, deleted = false) =>
      await world.run(
        "owner",
        `insert into public.chat_messages (user_id, chat_room_id, content, created_at, changed_at, deleted_at)
         values ($1, $2, case when $4 then '' else 'Hello' end, now() - make_interval(secs => $3), now(), case when $4 then now() end)`,
        [author, room, secondsAgo, deleted],
      );
    await world.run("owner", "set local session_replication_role = replica");
    await write(bob, 30);
    await write(cy, 20);
    await write(bob, 10);
    await write(ada, 5, true);
    await world.run("owner", "set local session_replication_role = origin");
    const faces = async () => {
      const shown = (await readOverview(world, ada, room))["faces"] as { id: string }[];
      return shown.map(({ id }) => id);
    };
    expect(await faces()).toEqual([bob, cy]);
    await world.run(cy, joinSql, [room]);
    expect(await faces()).toEqual([cy]);
    await world.run(cy, "select public.decrement_participant_count($1)", [room]);
    const block = "insert into private.member_blocks (user_id, blocked_id) values ($1, $2)";
    await world.run("owner", block, [ada, bob]);
    expect(await faces()).toEqual([cy]);
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await faces()).toEqual([]);
  });
});
