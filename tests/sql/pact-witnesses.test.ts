import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  answerWitnessSql,
  askWitnessesSql,
  bellKinds,
  closePactSql,
  lapsedMember,
  makePactSql,
  makeTestPact,
  newWitness,
  pactsOf,
  remindOfPacts,
  shareOutcome,
  letPactDaysPass,
} from "./pact-world.ts";
import { connectTestOwner, test, World, type Row } from "./world.ts";

describe("a witness", () => {
  test("is another listed member without a block, and nobody else", async ({ world }) => {
    const ada = await newWitness(world, "Ada");
    const [hidden, blocker, blocked] = [
      await newWitness(world),
      await newWitness(world),
      await newWitness(world),
    ];
    await world.run(
      "owner",
      "insert into public.profile_choices (user_id, is_listed) values ($1, false)",
      [hidden],
    );
    await world.run(blocker, "select public.block_member($1)", [ada]);
    await world.run(ada, "select public.block_member($1)", [blocked]);
    for (const other of [ada, hidden, blocker, blocked, await lapsedMember(world), randomUUID()]) {
      await world.refused(ada, "FF773", makePactSql, [randomUUID(), "Call", "A list.", 1, [other]]);
    }
    expect((await pactsOf(world, ada)).own).toEqual([]);
  });

  test("accepts for themselves: not the author, not one who was not asked, not after declining", async ({
    world,
  }) => {
    const [ada, tom, eve] = [
      await newWitness(world, "Ada"),
      await newWitness(world),
      await newWitness(world),
    ];
    const pact = await makeTestPact(world, ada, { witnesses: [tom] });
    await world.refused(ada, "FF774", answerWitnessSql, [pact, true]);
    await world.refused(eve, "FF774", answerWitnessSql, [pact, true]);
    await world.run(tom, answerWitnessSql, [pact, true]);
    await world.run(tom, answerWitnessSql, [pact, true]);
    await world.run(tom, answerWitnessSql, [pact, false]);
    expect(await bellKinds(world, ada)).toEqual(["witness_declined"]);
    await world.refused(tom, "FF774", answerWitnessSql, [pact, true]);
    await world.refused(eve, "FF776", askWitnessesSql, [pact, [eve]]);
  });

  test("is one of three at a time; a place that was declined goes to another, and nine are asked at most", async ({
    world,
  }) => {
    const ada = await newWitness(world, "Ada");
    const asked: string[] = [];
    const next = async () => {
      const member = await newWitness(world);
      asked.push(member);
      return member;
    };
    const pact = await makeTestPact(world, ada, {
      witnesses: [await next(), await next(), await next()],
    });
    await world.run(ada, askWitnessesSql, [pact, asked]);
    await world.refused(ada, "FF772", askWitnessesSql, [pact, [await newWitness(world)]]);
    for (let declined = 0; declined < 6; declined += 1) {
      await world.run(asked[declined] ?? "", answerWitnessSql, [pact, false]);
      await world.run(ada, askWitnessesSql, [pact, [await next()]]);
    }
    await world.run(asked[6] ?? "", answerWitnessSql, [pact, false]);
    await world.refused(ada, "FF772", askWitnessesSql, [pact, [await newWitness(world)]]);
    const four = [
      await newWitness(world),
      await newWitness(world),
      await newWitness(world),
      await newWitness(world),
    ];
    await world.refused(ada, "FF772", makePactSql, [randomUUID(), "Call", "A list.", 1, four]);
  });

  test("who is suspended has lapsed, and one of an overdue pact may still step back", async ({
    world,
  }) => {
    const ada = await newWitness(world, "Ada");
    const [tom, eve] = [await newWitness(world), await newWitness(world)];
    const pact = await makeTestPact(world, ada, { witnesses: [tom, eve] });
    for (const each of [tom, eve]) await world.run(each, answerWitnessSql, [pact, true]);
    await world.run(
      "owner",
      "update auth.users set banned_until = now() + interval '1 day' where id = $1",
      [tom],
    );
    await letPactDaysPass(world, pact, 9);
    await world.run(eve, answerWitnessSql, [pact, false]);
    const witnesses = (await pactsOf(world, ada)).own[0]?.["witnesses"] as Row[];
    expect(new Map(witnesses.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [tom, "lapsed"],
        [eve, "declined"],
      ]),
    );
  });

  test("has at most three unanswered requests of one author", async ({ world }) => {
    const [ada, tom] = [await newWitness(world, "Ada"), await newWitness(world)];
    const first = await makeTestPact(world, ada, { witnesses: [tom] });
    for (let n = 2; n <= 3; n += 1) await makeTestPact(world, ada, { witnesses: [tom] });
    const fourth = [randomUUID(), "Call", "A list.", 1, [tom]];
    await world.refused(ada, "FF773", makePactSql, fourth);
    await world.run(tom, answerWitnessSql, [first, true]);
    await world.run(ada, makePactSql, fourth);
  });

  test.for([0, 1])(
    "looks lapsed to the author while a block stands, in either direction (%i)",
    async (by, { world }) => {
      const [ada, tom] = [await newWitness(world, "Ada"), await newWitness(world)];
      const accepted = await makeTestPact(world, ada, { days: 1, witnesses: [tom] });
      await makeTestPact(world, ada, { days: 2, witnesses: [tom] });
      const declined = await makeTestPact(world, ada, { days: 3, witnesses: [tom] });
      await world.run(tom, answerWitnessSql, [accepted, true]);
      await world.run(tom, answerWitnessSql, [declined, false]);
      const states = async () =>
        (await pactsOf(world, ada)).own.map((own) =>
          (own["witnesses"] as Row[]).map(({ state }) => state),
        );
      await world.setSubscriptionStatus(tom, "canceled");
      const whenLapsed = await states();
      expect(whenLapsed).toEqual([["lapsed"], ["lapsed"], ["declined"]]);
      await world.setSubscriptionStatus(tom, "active");
      const pair = [ada, tom] as const;
      const other = pair[1 - by];
      await world.run(pair[by] ?? "", "select public.block_member($1)", [other]);
      expect(await states()).toEqual(whenLapsed);
      const sql = "select public.pacts_of_submissions($1) as pacts";
      for (const reader of [ada, await world.member()]) {
        const { pacts } = await world.one(reader, sql, [[accepted]]);
        expect(pacts).toMatchObject([{ witnesses: [] }]);
      }
      await world.run(pair[by] ?? "", "select public.unblock_member($1)", [other]);
      expect(await states()).toEqual([["accepted"], ["asked"], ["declined"]]);
    },
  );

  test("who blocked the author is asked and told nothing", async ({ world }) => {
    const [ada, tom] = [await newWitness(world, "Ada"), await newWitness(world)];
    const accepted = await makeTestPact(world, ada, { days: 1, witnesses: [tom] });
    const asked = await makeTestPact(world, ada, { witnesses: [tom] });
    await world.run(tom, answerWitnessSql, [accepted, true]);
    await world.run(tom, "select public.block_member($1)", [ada]);
    expect((await pactsOf(world, tom)).witnessing).toEqual([]);
    for (const pact of [accepted, asked]) {
      for (const answer of [true, false]) {
        await world.refused(tom, "FF774", answerWitnessSql, [pact, answer]);
      }
    }
    await world.run(
      "owner",
      "update public.learning_submissions set created_at = now() - interval '1 day' where id = $1",
      [accepted],
    );
    await remindOfPacts(world);
    await world.run(ada, closePactSql, [accepted, await shareOutcome(world, ada)]);
    expect(await bellKinds(world, tom)).toEqual([]);
  });

  test("whom the author blocked sees the pact as before, and an answer reaches nobody", async ({
    world,
  }) => {
    const [ada, tom] = [await newWitness(world, "Ada"), await newWitness(world)];
    const accepted = await makeTestPact(world, ada, { witnesses: [tom] });
    const asked = await makeTestPact(world, ada, { witnesses: [tom] });
    await world.run(tom, answerWitnessSql, [accepted, true]);
    const seen = async () => {
      const sql = "select public.pacts_of_submissions($1) as pacts";
      const { pacts } = await world.one(tom, sql, [[accepted]]);
      return [(await pactsOf(world, tom)).witnessing, pacts, await bellKinds(world, tom)];
    };
    const before = await seen();
    await world.run(ada, "select public.block_member($1)", [tom]);
    expect(await seen()).toEqual(before);
    await world.run(tom, answerWitnessSql, [asked, true]);
    expect(await bellKinds(world, ada)).toEqual([]);
    for (const own of (await pactsOf(world, ada)).own) {
      expect(own["witnesses"]).toMatchObject([{ id: tom, state: "lapsed" }]);
    }
  });

  test("who blocks the author while being asked has no request left", async () => {
    const [setup, asking, blocking] = [
      await connectTestOwner(),
      await connectTestOwner(),
      await connectTestOwner(),
    ];
    const [world, author, witness] = [new World(setup), new World(asking), new World(blocking)];
    const members: string[] = [];
    try {
      await setup.query("begin");
      const [ada, tom] = [await newWitness(world, "Ada"), await newWitness(world)];
      const pact = await makeTestPact(world, ada);
      await setup.query("commit");
      members.push(ada, tom);
      await asking.query("begin");
      await author.run(ada, askWitnessesSql, [pact, [tom]]);
      await blocking.query("begin");
      await witness.run(tom, "select public.block_member($1)", [ada]);
      await blocking.query("commit");
      await asking.query("commit");
      await setup.query("begin");
      expect(await bellKinds(world, tom)).toEqual([]);
      expect((await pactsOf(world, tom)).witnessing).toEqual([]);
    } finally {
      await Promise.all([asking.end(), blocking.end()]);
      await setup.query("rollback");
      await setup.query("delete from auth.users where id = any ($1)", [members]);
      await setup.end();
    }
  });

  test("who declines is told to the author alone, until the pact is closed", async ({ world }) => {
    const [ada, tom, eve] = [
      await newWitness(world, "Ada"),
      await newWitness(world),
      await newWitness(world),
    ];
    const pact = await makeTestPact(world, ada, { witnesses: [tom, eve] });
    await world.run(eve, answerWitnessSql, [pact, true]);
    await world.run(tom, answerWitnessSql, [pact, false]);
    await world.run(tom, answerWitnessSql, [pact, false]);
    expect(await bellKinds(world, ada)).toEqual(["witness_declined", "witness_accepted"]);
    expect(await bellKinds(world, tom)).toEqual([]);
    expect(await bellKinds(world, eve)).toEqual([]);
    await world.run(ada, closePactSql, [pact, await shareOutcome(world, ada)]);
    const left = await bellKinds(world, ada);
    expect(left).toContain("witness_accepted");
    expect(left).not.toContain("witness_declined");
  });

  test("keeps the pacts they witnessed on their page; who declined has none there", async ({
    world,
  }) => {
    const [ada, tom, eve] = [
      await newWitness(world, "Ada"),
      await newWitness(world),
      await newWitness(world),
    ];
    const pact = await makeTestPact(world, ada, { witnesses: [tom, eve] });
    await world.run(tom, answerWitnessSql, [pact, true]);
    await world.run(eve, answerWitnessSql, [pact, false]);
    await world.run(ada, closePactSql, [pact, await shareOutcome(world, ada)]);
    await world.run(
      "owner",
      "update private.pacts set closed_at = closed_at - interval '40 days' where submission_id = $1",
      [pact],
    );
    expect((await pactsOf(world, tom)).witnessing).toMatchObject([
      { id: pact, outcome: "success", accepted: true },
    ]);
    expect((await pactsOf(world, eve)).witnessing).toEqual([]);
  });

  test("reads with the author that a pact is overdue, once it is", async ({ world }) => {
    const [ada, tom] = [await newWitness(world, "Ada"), await newWitness(world)];
    const pact = await makeTestPact(world, ada, { witnesses: [tom], days: 2 });
    await world.run(tom, answerWitnessSql, [pact, true]);
    const saysOverdue = async (member: string) => {
      const { bell } = await world.one(member, "select public.my_notifications() as bell");
      const items = (bell as { items: Row[] }).items.filter(({ kind }) => kind === "pact_due");
      return items.map((item) => item["is_overdue"]);
    };
    await letPactDaysPass(world, pact, 1);
    await remindOfPacts(world);
    for (const member of [ada, tom]) expect(await saysOverdue(member)).toEqual([false]);
    await letPactDaysPass(world, pact, 2);
    for (const member of [ada, tom]) expect(await saysOverdue(member)).toEqual([true]);
  });

  test("who lapses is told nothing more of it", async ({ world }) => {
    const ada = await newWitness(world, "Ada");
    const [tom, eve] = [await newWitness(world), await newWitness(world)];
    const pact = await makeTestPact(world, ada, { witnesses: [tom, eve] });
    for (const each of [tom, eve]) await world.run(each, answerWitnessSql, [pact, true]);
    await world.setSubscriptionStatus(tom, "canceled");
    await world.run(ada, closePactSql, [pact, await shareOutcome(world, ada)]);
    expect(await bellKinds(world, tom)).toEqual(["membership_ended"]);
    expect(await bellKinds(world, eve)).toContain("pact_outcome");
    await world.refused(tom, "FF700", answerWitnessSql, [pact, false]);
    const [own] = (await pactsOf(world, ada)).own;
    expect(own?.["witnesses"]).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: tom, state: "lapsed" })]),
    );
  });
});
