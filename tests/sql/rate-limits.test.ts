import { describe, expect } from "vitest";
import { connectTestOwner, test } from "./world.ts";

const holdSql = "select private.enforce_rate_limit($1, $2)";
const limit = "update private.rate_limits set max_count = $2, period = $3 where action = $1";

describe("a limit", () => {
  test("allows its count within its period, then says how long to wait", async ({ world }) => {
    const user = await world.account();
    await world.run("owner", limit, ["like", 3, "10 minutes"]);
    for (let n = 1; n <= 3; n += 1) await world.run("owner", holdSql, [user, "like"]);
    const refusal = await world
      .run("owner", holdSql, [user, "like"])
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "FF300",
      message: "You are going too fast. Wait a moment and try again.",
    });
    const wait = Number((refusal as { detail: string }).detail);
    expect(wait).toBeGreaterThan(590);
    expect(wait).toBeLessThanOrEqual(600);
  });

  test("applies to each account and each action separately", async ({ world }) => {
    const [ada, ben] = [await world.account(), await world.account()];
    await world.run("owner", limit, ["like", 1, "1 minute"]);
    await world.run("owner", holdSql, [ada, "like"]);
    await world.refused("owner", "FF300", holdSql, [ada, "like"]);
    await world.run("owner", holdSql, [ada, "message"]);
    await world.run("owner", holdSql, [ben, "like"]);
  });

  test("is a sliding window: only uses older than the period are dropped", async ({ world }) => {
    const user = await world.account();
    await world.run("owner", limit, ["like", 3, "10 minutes"]);
    await world.run("owner", holdSql, [user, "like"]);
    const past = `update private.rate_usage set recent = array[now() - interval '11 minutes', now() - interval '9 minutes',
      now() - interval '8 minutes'] where user_id = $1`;
    await world.run("owner", past, [user]);
    await world.run("owner", holdSql, [user, "like"]);
    const kept = "select cardinality(recent) as kept from private.rate_usage where user_id = $1";
    expect(await world.one("owner", kept, [user])).toEqual({ kept: 3 });
    await world.refused("owner", "FF300", holdSql, [user, "like"]);
    await world.run("owner", limit, ["like", 4, "10 minutes"]);
    await world.run("owner", holdSql, [user, "like"]);
  });

  test("has a row for every limited action", async ({ world }) => {
    const sql = "select action, max_count, period::text from private.rate_limits order by action";
    expect(await world.run("owner", sql)).toEqual([
      { action: "affiliate_visit", max_count: 30, period: "01:00:00" },
      { action: "analytics", max_count: 60, period: "00:01:00" },
      { action: "announce", max_count: 5, period: "01:00:00" },
      { action: "answer", max_count: 60, period: "01:00:00" },
      { action: "article_read", max_count: 30, period: "00:01:00" },
      { action: "ask", max_count: 10, period: "01:00:00" },
      { action: "block", max_count: 30, period: "01:00:00" },
      { action: "change_plan", max_count: 60, period: "01:00:00" },
      { action: "change_renewal", max_count: 30, period: "01:00:00" },
      { action: "claim_referral", max_count: 20, period: "01:00:00" },
      { action: "collaboration", max_count: 20, period: "1 day" },
      { action: "comment", max_count: 30, period: "00:01:00" },
      { action: "content_picture", max_count: 60, period: "01:00:00" },
      { action: "conversation", max_count: 15, period: "1 day" },
      { action: "create_customer", max_count: 20, period: "00:10:00" },
      { action: "create_draft", max_count: 30, period: "01:00:00" },
      { action: "delete_account", max_count: 10, period: "01:00:00" },
      { action: "direct_message", max_count: 40, period: "00:01:00" },
      { action: "edit_submission", max_count: 30, period: "01:00:00" },
      { action: "export", max_count: 20, period: "01:00:00" },
      { action: "export_note", max_count: 20, period: "01:00:00" },
      { action: "export_studio", max_count: 20, period: "01:00:00" },
      { action: "export_versions", max_count: 600, period: "01:00:00" },
      { action: "film_upload", max_count: 60, period: "01:00:00" },
      { action: "guarantee", max_count: 20, period: "01:00:00" },
      { action: "import_draft", max_count: 300, period: "01:00:00" },
      { action: "like", max_count: 120, period: "00:01:00" },
      { action: "message", max_count: 60, period: "00:01:00" },
      { action: "message_choice", max_count: 30, period: "01:00:00" },
      { action: "message_picture", max_count: 30, period: "01:00:00" },
      { action: "message_search", max_count: 60, period: "00:01:00" },
      { action: "nudge", max_count: 60, period: "01:00:00" },
      { action: "people", max_count: 120, period: "00:01:00" },
      { action: "preview_code", max_count: 30, period: "01:00:00" },
      { action: "profile_choices", max_count: 60, period: "01:00:00" },
      { action: "profile_picture", max_count: 20, period: "01:00:00" },
      { action: "public_code", max_count: 30, period: "00:01:00" },
      { action: "purchase", max_count: 60, period: "01:00:00" },
      { action: "push_subscription", max_count: 30, period: "01:00:00" },
      { action: "rate_text", max_count: 30, period: "01:00:00" },
      { action: "reaction", max_count: 120, period: "00:01:00" },
      { action: "reactors", max_count: 120, period: "00:01:00" },
      { action: "recovery_code", max_count: 5, period: "01:00:00" },
      { action: "recovery_codes", max_count: 10, period: "01:00:00" },
      { action: "redeem_gift", max_count: 10, period: "01:00:00" },
      { action: "report", max_count: 20, period: "01:00:00" },
      { action: "save_course_offer", max_count: 60, period: "01:00:00" },
      { action: "save_draft", max_count: 60, period: "00:01:00" },
      { action: "share_card", max_count: 30, period: "01:00:00" },
      { action: "submission", max_count: 10, period: "01:00:00" },
      { action: "typing", max_count: 60, period: "00:01:00" },
      { action: "update_card", max_count: 30, period: "01:00:00" },
      { action: "witness", max_count: 30, period: "01:00:00" },
    ]);
    await world.refused("owner", "P0001", holdSql, [await world.account(), "shouting"]);
    const add = "insert into private.rate_limits (action, max_count, period) values ($1, $2, $3)";
    await world.refused("owner", "23514", add, ["none", 0, "1 minute"]);
    await world.refused("owner", "23514", add, ["never", 1, "0 seconds"]);
    await world.refused("owner", "23505", add, ["like", 1, "1 minute"]);
  });

  test("is closed to clients, and its usage is deleted with the account", async ({ world }) => {
    const user = await world.member();
    await world.run("owner", holdSql, [user, "like"]);
    for (const actor of [user, "anon", "service_role"]) {
      await world.refused(actor, "42501", holdSql, [user, "like"]);
      await world.refused(actor, "42501", "select * from private.rate_limits");
      await world.refused(actor, "42501", "delete from private.rate_usage");
    }
    const twice = "insert into private.rate_usage (user_id, action) values ($1, 'like')";
    await world.refused("owner", "23505", twice, [user]);
    await world.run("owner", "delete from auth.users where id = $1", [user]);
    expect(
      await world.run("owner", "select from private.rate_usage where user_id = $1", [user]),
    ).toEqual([]);
    await world.refused("owner", "23503", twice, [user]);
  });

  test("of edge functions is enforced by the server role only", async ({ world }) => {
    const user = await world.member();
    const hold = "select public.enforce_function_rate_limit($1, $2)";
    await world.run("owner", limit, ["create_customer", 2, "1 minute"]);
    await world.run("service_role", hold, [user, "create_customer"]);
    await world.run("service_role", hold, [user, "create_customer"]);
    await world.refused("service_role", "FF300", hold, [user, "create_customer"]);
    for (const action of ["like", "shouting", null]) {
      await world.refused("service_role", "P0001", hold, [user, action]);
    }
    for (const actor of [user, await world.admin(), "anon"]) {
      await world.refused(actor, "42501", hold, [user, "purchase"]);
      const direct = "select private.enforce_function_rate_limit($1, $2)";
      await world.refused(actor, "42501", direct, [user, "purchase"]);
    }
  });

  test("counts every one of many concurrent uses", async ({ world }) => {
    const { id } = await world.one("owner", "select gen_random_uuid() as id");
    const clients = await Promise.all(
      Array.from({ length: 4 }, async () => await connectTestOwner()),
    );
    const [setup] = clients;
    try {
      await setup?.query("insert into auth.users (id, email) values ($1, $2)", [
        id,
        `${String(id)}@example.test`,
      ]);
      // Ten an hour; each of four connections tries five times.
      const tries = await Promise.all(
        clients.map(async (client) => {
          let held = 0;
          for (let n = 0; n < 5; n += 1) {
            held += await client.query(holdSql, [id, "submission"]).then(
              () => 1,
              () => 0,
            );
          }
          return held;
        }),
      );
      expect(tries.reduce((sum, held) => sum + held, 0)).toBe(10);
      await setup?.query("delete from auth.users where id = $1", [id]);
    } finally {
      await Promise.all(clients.map(async (client) => await client.end()));
    }
  });
});
