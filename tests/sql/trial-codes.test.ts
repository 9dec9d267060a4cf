import { describe, expect } from "vitest";
import { connectTestOwner, test, untilBlocked, type World } from "./world.ts";

const take =
  "select public.billing_trial_code($1, $2, 'price_student_access', true) ->> 'problem' as problem";

async function makeCode(world: World, code: string, limit: number | null = null): Promise<void> {
  await world.run(
    "owner",
    "insert into private.trial_codes (code, days, max_redemptions) values ($1, 14, $2)",
    [code, limit],
  );
}

const deleteAccount = "delete from auth.users where id = $1";

const problemOf = async (world: World, member: string, code: string) =>
  (await world.one("service_role", take, [member, code]))["problem"];

const anHourPasses = async (world: World) =>
  await world.run(
    "owner",
    "update private.trial_redemptions set redeemed_at = redeemed_at - interval '61 minutes'",
  );

describe("a trial code with one place", () => {
  test("is held for a purchase for an hour, and given back when it comes to nothing", async ({
    world,
  }) => {
    const [ada, bob] = [await world.account(), await world.account()];
    await makeCode(world, "ONE", 1);
    expect(await problemOf(world, ada, "one")).toBeNull();
    // The same purchase again, because its answer was lost.
    expect(await problemOf(world, ada, "ONE")).toBeNull();
    expect(await problemOf(world, bob, "ONE")).toBe("code_used_up");
    await anHourPasses(world);
    expect(await problemOf(world, bob, "ONE")).toBeNull();
    expect(await problemOf(world, ada, "ONE")).toBe("code_used_up");
  });

  test("stays taken by a membership, also when its account is deleted", async ({ world }) => {
    const [admin, ada, bob] = [await world.admin(), await world.account(), await world.account()];
    await makeCode(world, "ONE", 1);
    expect(await problemOf(world, ada, "ONE")).toBeNull();
    await world.subscribe(ada, "student-access", "trialing");
    await anHourPasses(world);
    expect(await problemOf(world, ada, "ONE")).toBe("code_new_members_only");
    expect(await problemOf(world, bob, "ONE")).toBe("code_used_up");
    await world.run("owner", deleteAccount, [ada]);
    expect(await problemOf(world, bob, "ONE")).toBe("code_used_up");
    const listed = "select redemptions from public.admin_trial_codes() where code = 'ONE'";
    expect(await world.run(admin, listed)).toEqual([{ redemptions: 1 }]);
  });

  test("is given back when an account is deleted whose purchase failed", async ({ world }) => {
    const [ada, eve, bob] = [await world.account(), await world.account(), await world.account()];
    await makeCode(world, "ONE", 1);
    expect(await problemOf(world, ada, "ONE")).toBeNull();
    await world.subscribe(ada, "student-access", "incomplete_expired");
    expect(await problemOf(world, bob, "ONE")).toBe("code_used_up");
    // One that never tried to pay, too.
    await world.run("owner", deleteAccount, [ada]);
    expect(await problemOf(world, eve, "ONE")).toBeNull();
    await world.run("owner", deleteAccount, [eve]);
    expect(await problemOf(world, bob, "ONE")).toBeNull();
  });

  test("cannot be taken beside another one by the same account", async ({ world }) => {
    const ada = await world.account();
    await makeCode(world, "ONE");
    await makeCode(world, "TWO");
    expect(await problemOf(world, ada, "ONE")).toBeNull();
    expect(await problemOf(world, ada, "TWO")).toBe("code_new_members_only");
  });
});

test("one account cannot take two codes at the same moment", async ({ owner }) => {
  const member = "a0000000-0000-4000-8000-00000000ad07";
  const second = await connectTestOwner();
  const watcher = await connectTestOwner();
  try {
    await owner.query("insert into auth.users (id, email) values ($1, 'two-codes@example.test')", [
      member,
    ]);
    await owner.query(
      "insert into private.trial_codes (code, days) values ('RACE-1', 14), ('RACE-2', 14)",
    );
    await owner.query("begin");
    await owner.query(take, [member, "RACE-1"]);
    await second.query("begin");
    const pid = (await second.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]
      ?.pid;
    const waiting = second.query<{ problem: string | null }>(take, [member, "RACE-2"]);
    await untilBlocked(watcher, Number(pid));
    await owner.query("commit");
    expect((await waiting).rows).toEqual([{ problem: "code_new_members_only" }]);
    await second.query("rollback");
  } finally {
    await second.end();
    await watcher.end();
    await owner.query("delete from auth.users where id = $1", [member]);
    await owner.query("delete from private.trial_codes where code like 'RACE-%'");
  }
});
