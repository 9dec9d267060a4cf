import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { write } from "./direct-world.ts";
import { directoryPage, newMark, profileOf } from "./people-world.ts";
import { test } from "./world.ts";

const blockSql = "select public.block_member($1)";
const unblockSql = "select public.unblock_member($1)";

describe("a block", () => {
  test("hides the two from each other, and the blocked member cannot tell", async ({ world }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const last = newMark();
    for (const id of [ada, bob]) {
      await world.run("owner", "update public.profiles set last_name = $2 where id = $1", [
        id,
        last,
      ]);
    }
    await world.run(ada, blockSql, [bob]);
    await world.run(ada, blockSql, [bob]);
    expect(await directoryPage(world, ada, { search: last })).toEqual([ada]);
    expect(await directoryPage(world, bob, { search: last })).toEqual([bob]);
    expect(await directoryPage(world, cleo, { search: last })).toHaveLength(2);
    expect(await profileOf(world, bob, ada)).toBeNull();
    expect(await profileOf(world, ada, bob)).toEqual({
      id: bob,
      name: `Ada ${last}`,
      role: "student",
      is_blocked: true,
    });
    const rows = "select user_id, blocked_id from private.member_blocks where user_id = $1";
    const mine = "select member_id, name from public.my_blocks()";
    for (const other of [bob, cleo]) {
      expect(await world.run(other, mine)).toEqual([]);
      // Unblocking takes back one's own block only.
      await world.run(other, unblockSql, [bob]);
      await world.run(other, unblockSql, [ada]);
    }
    expect(await world.run("owner", rows, [ada])).toEqual([{ user_id: ada, blocked_id: bob }]);
    expect(await world.run(ada, mine)).toEqual([{ member_id: bob, name: `Ada ${last}` }]);
    await world.run(ada, unblockSql, [bob]);
    expect(await profileOf(world, bob, ada)).not.toBeNull();
  });

  test("is refused for oneself, administrators and accounts that are no members, written by hand, and beyond its limit", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await world.refused(ada, "FF703", blockSql, [ada]);
    await world.refused(ada, "FF704", blockSql, [await world.plainAdmin()]);
    for (const nobody of [randomUUID(), null, await world.newcomer()]) {
      await world.refused(ada, "FF702", blockSql, [nobody]);
    }
    const insert = "insert into private.member_blocks (user_id, blocked_id) values ($1, $2)";
    for (const actor of [ada, "service_role"]) {
      await world.refused(actor, "42501", insert, [bob, ada]);
      await world.refused(actor, "42501", "select from private.member_blocks");
      await world.refused(actor, "42501", "delete from private.member_blocks");
    }
    await world.refused("owner", "23514", insert, [ada, ada]);
    await world.refused("anon", "42501", blockSql, [ada]);
    await world.refused("anon", "42501", unblockSql, [ada]);
    await world.run("owner", "update private.rate_limits set max_count = 1 where action = 'block'");
    await world.run(ada, blockSql, [bob]);
    await world.refused(ada, "FF300", blockSql, [await world.member()]);
    await world.refused("owner", "23505", insert, [ada, bob]);
    await world.refused("owner", "23503", insert, [randomUUID(), bob]);
    await world.refused("owner", "23503", insert, [ada, randomUUID()]);
    const left = "select from private.member_blocks where user_id = $1";
    await world.run("owner", "delete from auth.users where id = $1", [bob]);
    expect(await world.run("owner", left, [ada])).toEqual([]);
    const cleo = await world.member();
    await world.run("owner", insert, [cleo, ada]);
    await world.run("owner", "delete from auth.users where id = $1", [cleo]);
    expect(await world.run("owner", left, [cleo])).toEqual([]);
  });

  test("ends notifications between the two, those made before as well", async ({ world }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const submission = {
      submission_type: "success",
      title: "It runs",
      content: "At last.",
    };
    const { id } = await world.insert(ada, "learning_submissions", { user_id: ada, ...submission });
    const comment = async (user_id: string) =>
      await world.insert(user_id, "learning_submission_comments", {
        user_id,
        submission_id: id,
        content: "Well done",
      });
    const actors = async () =>
      (
        await world.run("owner", "select actor_id from public.notifications where user_id = $1", [
          ada,
        ])
      ).map((row) => row["actor_id"]);
    await comment(bob);
    expect(await actors()).toEqual([bob]);
    await world.run(ada, blockSql, [bob]);
    expect(await actors()).toEqual([]);
    await comment(bob);
    await comment(cleo);
    expect(await actors()).toEqual([cleo]);
    // The other way round as well: the one who blocked is not announced to the blocked member.
    const own = await world.insert(bob, "learning_submissions", { user_id: bob, ...submission });
    await world.insert(ada, "learning_submission_likes", {
      user_id: ada,
      submission_id: own["id"],
    });
    expect(
      await world.run("owner", "select from public.notifications where user_id = $1", [bob]),
    ).toEqual([]);
  });

  test("leaves the blocked member's bell as it was", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await world.insert(bob, "learning_submissions", {
      user_id: bob,
      submission_type: "success",
      title: "It runs",
      content: "At last.",
    });
    await world.insert(ada, "learning_submission_likes", { user_id: ada, submission_id: id });
    await write(world, ada, bob, "Well done");
    const bell = async () => (await world.one(bob, "select public.my_notifications() as b"))["b"];
    const before = await bell();
    expect(before).toMatchObject({
      items: [{ kind: "direct_message" }, { kind: "submission_like" }],
    });
    await world.run(ada, blockSql, [bob]);
    expect(await bell()).toEqual(before);
  });
});
