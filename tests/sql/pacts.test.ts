import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  answerWitnessSql,
  askWitnessesSql,
  bellKinds,
  closePactSql,
  lapsedMember,
  letPactDaysPass,
  makePactSql,
  makeTestPact,
  newWitness,
  pactsOf,
  remindOfPacts,
  shareOutcome,
} from "./pact-world.ts";
import { profileOf } from "./people-world.ts";
import { today } from "./today-world.ts";
import { test, type Row } from "./world.ts";

describe("a pact", () => {
  test("lives its whole life: asked, accepted, declined, lapsed, reminded, kept and shown", async ({
    world,
  }) => {
    const ada = await newWitness(world, "Ada");
    const [tom, eve, mia] = [
      await newWitness(world),
      await newWitness(world, "Eve"),
      await newWitness(world, "Mia"),
    ];
    const pact = await makeTestPact(world, ada, { witnesses: [tom, eve, mia] });
    expect(await bellKinds(world, tom)).toEqual(["witness_asked"]);

    await world.run(tom, answerWitnessSql, [pact, true]);
    await world.run(eve, answerWitnessSql, [pact, false]);
    expect(await bellKinds(world, ada)).toEqual(["witness_declined", "witness_accepted"]);
    expect(await bellKinds(world, eve)).toEqual([]);
    expect((await pactsOf(world, eve)).witnessing).toEqual([]);

    await remindOfPacts(world);
    expect(await bellKinds(world, ada)).toEqual(["witness_declined", "witness_accepted"]);
    await letPactDaysPass(world, pact, 6);
    await remindOfPacts(world);
    await remindOfPacts(world);
    expect(await bellKinds(world, ada)).toEqual([
      "pact_due",
      "witness_declined",
      "witness_accepted",
    ]);
    expect(await bellKinds(world, tom)).toEqual(["pact_due"]);
    expect(await bellKinds(world, mia)).toEqual(["witness_asked"]);

    await letPactDaysPass(world, pact, 2);
    await world.refused(mia, "FF775", answerWitnessSql, [pact, true]);
    expect((await pactsOf(world, mia)).witnessing).toEqual([]);
    const [late] = (await pactsOf(world, ada)).own;
    expect(late).toMatchObject({ id: pact, is_overdue: true, outcome: null });
    const witnesses = (late?.["witnesses"] ?? []) as Row[];
    const states = witnesses.map(({ id, state }) => [id, state]);
    expect(new Map(states as [string, string][])).toEqual(
      new Map([
        [tom, "accepted"],
        [eve, "declined"],
        [mia, "lapsed"],
      ]),
    );

    const outcome = await shareOutcome(world, ada);
    await world.run(ada, closePactSql, [pact, outcome]);
    await world.run(ada, closePactSql, [pact, outcome]);
    expect((await pactsOf(world, ada)).own).toMatchObject([
      { id: pact, is_overdue: false, outcome: "success", outcome_id: outcome },
    ]);
    expect(await bellKinds(world, tom)).toEqual(["pact_outcome"]);
    expect(await bellKinds(world, mia)).toEqual([]);
    expect((await pactsOf(world, tom)).witnessing).toMatchObject([
      { outcome: "success", author: { id: ada } },
    ]);
    expect((await profileOf(world, tom, ada))?.["kept_pacts"]).toMatchObject({
      count: 1,
      newest: [{ id: pact, title: "Call ten customers" }],
    });
  });

  test("is a submission of its type, once however often it is sent, and counts as one", async ({
    world,
  }) => {
    const ada = await world.member();
    const id = await makeTestPact(world, ada);
    await makeTestPact(world, ada, { id });
    const mine =
      "select submission_type, title, content from public.learning_submissions where user_id = $1";
    expect(await world.run(ada, mine, [ada])).toEqual([
      { submission_type: "pact", title: "Call ten customers", content: "Ten names in a list." },
    ]);
    const counted = "select learning_submissions as n from public.user_progress where user_id = $1";
    expect(await world.one(ada, counted, [ada])).toEqual({ n: 1 });
  });

  test("is dated by the database, within a year, and says what and how one will know", async ({
    world,
  }) => {
    const ada = await world.member();
    for (const days of [-1, 367]) {
      await world.refused(ada, "FF771", makePactSql, [randomUUID(), "Call", "A list.", days, []]);
    }
    await world.refused(ada, "FF771", makePactSql, [randomUUID(), "Call", "A list.", null, []]);
    for (const [title, content] of [
      ["\u00a0", "A list."],
      ["Call", " "],
      ["x".repeat(151), "A"],
      ["A", "x".repeat(10_001)],
      [null, null],
    ]) {
      await world.refused(ada, "FF770", makePactSql, [randomUUID(), title, content, 1, []]);
    }
    await makeTestPact(world, ada, { days: 0 });
    await makeTestPact(world, ada, { days: 366 });
    expect((await pactsOf(world, ada)).own).toHaveLength(2);
  });

  test("is made and read by members alone, and an id of another's submission makes none", async ({
    world,
  }) => {
    const [ada, eve, lapsed] = [
      await world.member(),
      await world.member(),
      await lapsedMember(world),
    ];
    const pact = await makeTestPact(world, ada);
    await world.refused(eve, "FF776", makePactSql, [pact, "Mine", "Mine.", 1, []]);
    await world.refused(lapsed, "FF700", makePactSql, [randomUUID(), "Call", "A list.", 1, []]);
    await world.refused(lapsed, "FF700", "select public.my_pacts()");
    await world.refused(lapsed, "FF700", "select public.pacts_of_submissions($1)", [[pact]]);
    const edit = "select public.edit_submission($1, 'Call one customer', 'One name.')";
    await world.refused(ada, "FF762", edit, [pact]);
    await world.refused("anon", "42501", "select public.my_pacts()");
    await world.refused(ada, "42501", "select public.remind_of_pacts()");
    for (const table of ["pacts", "pact_witnesses"]) {
      await world.refused(ada, "42501", `select * from private.${table}`);
    }
    expect(await pactsOf(world, eve)).toEqual({ own: [], witnessing: [] });
  });

  test("is shown with its outcome where its submissions are", async ({ world }) => {
    const [ada, tom, reader] = [
      await world.member(),
      await newWitness(world),
      await world.member(),
    ];
    const pact = await makeTestPact(world, ada, { witnesses: [tom, await newWitness(world)] });
    await world.run(tom, answerWitnessSql, [pact, true]);
    const outcome = await shareOutcome(world, ada, "failure");
    await world.run(ada, closePactSql, [pact, outcome]);
    const sql = "select public.pacts_of_submissions($1) as pacts";
    const { pacts } = await world.one(reader, sql, [
      [pact, outcome, pact, await shareOutcome(world, ada)],
    ]);
    const shown = {
      pact_id: pact,
      outcome: "failure",
      outcome_id: outcome,
      witnesses: [{ id: tom }],
    };
    expect(pacts).toHaveLength(2);
    expect(pacts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ submission_id: pact, pact_id: pact }),
        expect.objectContaining({ submission_id: outcome, pact_id: pact }),
      ]),
    );
    expect((pacts as Row[])[0]).toMatchObject(shown);
    await world.run(tom, "select public.block_member($1)", [reader]);
    const again = await world.one(reader, sql, [[pact]]);
    expect((again["pacts"] as Row[])[0]).toMatchObject({ witnesses: [] });
  });

  test("that is due next stands on the dashboard of its author alone, while open", async ({
    world,
  }) => {
    const [ada, tom] = [await world.member(), await newWitness(world)];
    expect((await today(world, ada)).pact).toBeNull();
    const later = await makeTestPact(world, ada, { days: 9, witnesses: [tom] });
    const next = await makeTestPact(world, ada, { days: 2 });
    expect((await today(world, ada)).pact).toMatchObject({ id: next, is_overdue: false });
    await letPactDaysPass(world, next, 3);
    expect((await today(world, ada)).pact).toMatchObject({ id: next, is_overdue: true });
    expect((await today(world, tom)).pact).toBeNull();
    expect((await today(world, tom)).waiting.items).toMatchObject([{ kind: "witness_asked" }]);
    await world.run(ada, closePactSql, [next, await shareOutcome(world, ada)]);
    expect((await today(world, ada)).pact).toMatchObject({ id: later });
    await world.setSubscriptionStatus(ada, "canceled");
    expect((await today(world, ada)).pact).toBeNull();
  });

  test("deleted with its submission leaves no notification, and a deleted outcome leaves it closed", async ({
    world,
  }) => {
    const [ada, tom] = [await world.member(), await newWitness(world)];
    const pact = await makeTestPact(world, ada, { witnesses: [tom] });
    const kept = await makeTestPact(world, ada);
    await world.run(ada, "select public.delete_submission($1)", [pact]);
    expect(await bellKinds(world, tom)).toEqual([]);
    const outcome = await shareOutcome(world, ada);
    await world.run(ada, closePactSql, [kept, outcome]);
    await world.run(ada, "select public.delete_submission($1)", [outcome]);
    expect((await pactsOf(world, ada)).own).toMatchObject([
      { id: kept, outcome: "success", outcome_id: null },
    ]);
  });
});

describe("the outcome of a pact", () => {
  test("is shared and closes the pact in one step, once, or not at all", async ({ world }) => {
    const [ada, eve] = [await world.member(), await world.member()];
    const pact = await makeTestPact(world, ada);
    const sql = "select public.close_pact($1, $2, $3, $4, $5)";
    const id = randomUUID();
    const shared = "select submission_type, title from public.learning_submissions where id = $1";
    await world.refused(eve, "FF776", sql, [pact, id, "success", "Mine", "I called."]);
    await world.refused(ada, "FF777", sql, [pact, id, "pact", "Ten calls", "I called."]);
    await world.refused(ada, "FF330", sql, [pact, id, "success", " ", "I called."]);
    expect(await world.run(ada, shared, [id])).toEqual([]);
    for (const title of ["Ten calls", "Again"]) {
      await world.run(ada, sql, [pact, id, "failure", title, "I called."]);
    }
    expect(await world.run(ada, shared, [id])).toEqual([
      { submission_type: "failure", title: "Ten calls" },
    ]);
    await world.refused(ada, "FF775", sql, [pact, randomUUID(), "success", "More", "I called."]);
    expect((await pactsOf(world, ada)).own).toMatchObject([{ outcome: "failure", outcome_id: id }]);
  });

  test("is one's own success, failure or progress report, shared after it, and of one pact", async ({
    world,
  }) => {
    const [ada, eve] = [await world.member(), await world.member()];
    const before = await shareOutcome(world, ada);
    const pact = await makeTestPact(world, ada);
    await world.run(
      "owner",
      "update public.learning_submissions set created_at = now() - interval '1 day' where id = $1",
      [before],
    );
    const wrong = [
      before,
      await shareOutcome(world, eve),
      await shareOutcome(world, ada, "before_after"),
      pact,
      randomUUID(),
      null,
    ];
    for (const id of wrong) await world.refused(ada, "FF777", closePactSql, [pact, id]);
    const outcome = await shareOutcome(world, ada, "progress_report");
    await world.refused(eve, "FF776", closePactSql, [pact, outcome]);
    await world.run(ada, closePactSql, [pact, outcome]);
    await world.refused(ada, "FF775", closePactSql, [pact, await shareOutcome(world, ada)]);
    await world.refused(ada, "FF777", closePactSql, [await makeTestPact(world, ada), outcome]);
    await world.refused(ada, "FF775", askWitnessesSql, [pact, [eve]]);
    expect((await profileOf(world, eve, ada))?.["kept_pacts"]).toEqual({ count: 0, newest: [] });
  });
});
