import { describe, expect } from "vitest";
import { connectTestOwner, test, untilBlocked, type World } from "./world.ts";

const take = "select public.billing_take_trial_card($1, $2) as taken";

const takes = async (world: World, member: string, fingerprint: string) =>
  (await world.one("service_role", take, [member, fingerprint]))["taken"];

const anHourPasses = async (world: World) =>
  await world.run(
    "owner",
    "update private.trial_cards set taken_at = taken_at - interval '61 minutes'",
  );

describe("the card of a trial", () => {
  test("is taken once; the same purchase may be repeated", async ({ world }) => {
    const [ada, ben] = [await world.account(), await world.account()];
    expect(await takes(world, ada, "fp-one")).toBe(true);
    expect(await takes(world, ada, "fp-one")).toBe(true);
    expect(await takes(world, ben, "fp-one")).toBe(false);
    expect(await takes(world, ben, "fp-two")).toBe(true);
  });

  test("is free again an hour after a purchase that came to nothing", async ({ world }) => {
    const [ada, ben] = [await world.account(), await world.account()];
    expect(await takes(world, ada, "fp-one")).toBe(true);
    await world.subscribe(ada, "student-access", "incomplete_expired");
    await anHourPasses(world);
    expect(await takes(world, ben, "fp-one")).toBe(true);
    expect(await takes(world, ada, "fp-one")).toBe(false);
  });

  test("stays taken by a membership, also when its account is deleted", async ({ world }) => {
    const [ada, ben] = [await world.account(), await world.account()];
    expect(await takes(world, ada, "fp-one")).toBe(true);
    await world.subscribe(ada, "student-access", "trialing");
    await anHourPasses(world);
    expect(await takes(world, ben, "fp-one")).toBe(false);
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await takes(world, ben, "fp-one")).toBe(false);
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    await anHourPasses(world);
    expect(await takes(world, ben, "fp-one")).toBe(false);
  });

  test("is kept as a keyed hash that names neither the card nor its deleted owner", async ({
    world,
  }) => {
    const ada = await world.account();
    await takes(world, ada, "fp-readable");
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    const row = await world.one(
      "owner",
      `select to_jsonb(c)::text as text, c.holder_id, octet_length(c.card_hash) as length,
         c.card_hash in (sha256('fp-readable'), sha256(sha256('fp-readable'))) as is_unkeyed from private.trial_cards c`,
    );
    expect(row).toMatchObject({ holder_id: null, length: 32, is_unkeyed: false });
    expect(row["text"]).not.toContain("fp-readable");
    expect(row["text"]).not.toContain(Buffer.from("fp-readable").toString("hex"));
  });

  test("can be read and taken by the server only", async ({ world }) => {
    const ada = await world.member();
    for (const actor of ["anon", ada, await world.admin()]) {
      for (const schema of ["public", "private"]) {
        const forge = `select ${schema}.billing_take_trial_card($1, 'fp-one')`;
        await world.refused(actor, "42501", forge, [ada]);
      }
    }
    for (const actor of ["anon", ada, await world.admin(), "service_role"]) {
      for (const table of ["trial_cards", "trial_card_keys"]) {
        await world.refused(actor, "42501", `select from private.${table}`);
        await world.refused(actor, "42501", `delete from private.${table}`);
      }
    }
  });
});

test("two accounts cannot take one card at the same moment", async ({ owner }) => {
  const [ada, ben] = [
    "a0000000-0000-4000-8000-00000000ca01",
    "a0000000-0000-4000-8000-00000000ca02",
  ];
  const second = await connectTestOwner();
  const watcher = await connectTestOwner();
  try {
    await owner.query(
      `insert into auth.users (id, email) values ($1, 'card-1@example.test'), ($2, 'card-2@example.test')`,
      [ada, ben],
    );
    await owner.query("begin");
    await owner.query(take, [ada, "fp-race"]);
    await second.query("begin");
    const pid = (await second.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]
      ?.pid;
    const waiting = second.query<{ taken: boolean }>(take, [ben, "fp-race"]);
    await untilBlocked(watcher, Number(pid));
    await owner.query("commit");
    expect((await waiting).rows).toEqual([{ taken: false }]);
    await second.query("rollback");
  } finally {
    await second.end();
    await watcher.end();
    await owner.query("delete from private.trial_cards where holder_id in ($1, $2)", [ada, ben]);
    await owner.query("delete from auth.users where id in ($1, $2)", [ada, ben]);
  }
});
