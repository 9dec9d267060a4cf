import { describe, expect } from "vitest";
import { noProgress, overallCompletion } from "../../web/src/domain/level-progress.ts";
import { toLevelRequirements } from "../../web/src/domain/level-requirements.ts";
import {
  expectLevel,
  userProgressOf,
  recordProgressEvent,
  recordProgressEvents,
} from "./progress-events.ts";
import { test } from "./world.ts";

describe("a level", () => {
  test("follows level_requirements", async ({ world }) => {
    const user = await world.member();
    await world.run("owner", "update public.level_requirements set needed = 1 where level = 1");
    await recordProgressEvent(world, user, "room_opened", "general");
    await recordProgressEvent(world, user, "submission", "a");
    await expectLevel(world, user, 1);
    await recordProgressEvent(world, user, "like", "b");
    await expectLevel(world, user, 2);
    await world.run("owner", "delete from public.level_requirements");
    await recordProgressEvent(world, user, "like", "c");
    await expectLevel(world, user, 2);
  });

  test("and the overall percentage follow a changed requirement, with the rooms opened before it", async ({
    world,
  }) => {
    const user = await world.member();
    await recordProgressEvents(world, user, "room_opened", 7);
    await recordProgressEvents(world, user, "submission", 2);
    await recordProgressEvents(world, user, "message", 49);
    const overall = async () => {
      const row = await userProgressOf(world, user);
      const counters = {
        ...noProgress,
        chatRoomsOpened: (row["chat_rooms_opened"] as string[]).length,
        learningSubmissions: Number(row["learning_submissions"]),
        messageEngagements: Number(row["message_engagements"]),
      };
      const sql = "select level, kind, category, needed from public.level_requirements";
      return overallCompletion(toLevelRequirements(await world.run(user, sql)), counters);
    };
    expect(await overall()).toEqual({ done: 56, total: 648, percent: 9 });

    const change = "update public.level_requirements set needed = $2 where kind = $1";
    await world.run("owner", change, ["engagements", 100]);
    await world.run("owner", change, ["submissions", 2]);
    await world.run("owner", change, ["rooms", 8]);
    await recordProgressEvents(world, user, "message", 51, null, 1000);
    expect(await overall()).toEqual({ done: 109, total: 200, percent: 55 });
    await expectLevel(world, user, 1);
    await recordProgressEvent(world, user, "room_opened", "the eighth");
    await expectLevel(world, user, 2);
    expect(await overall()).toEqual({ done: 110, total: 200, percent: 55 });
  });
});
