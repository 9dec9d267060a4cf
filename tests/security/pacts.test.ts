import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { expectHidden, storedPrivately } from "./hidden-tables.ts";
import { member, newcomer, setSubscriptionStatus, stored } from "./members.ts";

const tables = ["pacts", "pact_witnesses"] as const;

/** A day so many days from today, in UTC. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function must<T>(answer: PromiseLike<{ data: T; error: unknown }>): Promise<T> {
  const { data, error } = await answer;
  expect(error).toBeNull();
  return data;
}

async function makePact(author: Account, witnesses: Account[]): Promise<string> {
  const pact = {
    pact_id: randomUUID(),
    title: "Call ten customers",
    content: "Ten names",
    due_on: dayIn(7),
    witnesses: witnesses.map(({ id }) => id),
  };
  await must(author.client.rpc("make_pact", pact));
  return pact.pact_id;
}

/** The names of the functions that answered without an error. */
async function succeeding(
  client: SupabaseClient,
  calls: readonly (readonly [string, object])[],
): Promise<string[]> {
  const done: string[] = [];
  for (const [name, args] of calls)
    if ((await client.rpc(name, args)).error === null) done.push(name);
  return done;
}

describe("a pact with its witnesses", () => {
  let ada: Account;
  let tom: Account;
  let eve: Account;
  let mallory: Account;
  let pact: string;
  const rows = async () => await storedPrivately(tables, [pact, mallory.id]);
  beforeAll(async () => {
    [ada, tom, eve, mallory] = [await member(), await member(), await member(), await member()];
    pact = await makePact(ada, [tom, eve]);
    await must(tom.client.rpc("answer_witness", { pact_id: pact, accepts: true }));
  });

  test("stands in no table that any client can name", async () => {
    const before = await rows();
    const forged = { submission_id: pact, user_id: mallory.id, accepted: true, due_on: dayIn(300) };
    for (const client of [ada.client, tom.client, mallory.client, anonymous()]) {
      await expectHidden(client, tables, forged);
    }
    expect(await rows()).toEqual(before);
  });

  test("is moved by no call of another member, a lapsed one or a visitor", async () => {
    const [lapsed, outsider] = [await member(), await newcomer()];
    await setSubscriptionStatus(lapsed.id, "canceled");
    const before = await rows();
    const outcome = { outcome: "success", title: "Done", content: "All ten" };
    const calls = [
      ["ask_witnesses", { pact_id: pact, witnesses: [mallory.id] }],
      ["answer_witness", { pact_id: pact, accepts: true }],
      ["answer_witness", { pact_id: pact, accepts: false }],
      ["answer_witness", { pact_id: pact, accepts: true, witness: eve.id }],
      ["close_pact", { pact_id: pact, outcome_id: randomUUID(), ...outcome }],
      ["edit_submission", { submission_id: pact, new_title: "Call one", new_content: "One name" }],
      ["delete_submission", { submission_id: pact }],
      ["remind_of_pacts", {}],
    ] as const;
    for (const { client } of [mallory, lapsed, outsider, { client: anonymous() }]) {
      expect(await succeeding(client, calls)).toEqual([]);
    }
    expect(await rows()).toEqual(before);
    // What failed to close the pact left no submission either.
    expect(await stored("learning_submissions", "user_id", mallory.id)).toEqual([]);
  });

  test("is not taken over by a pact of the same id, nor by its row", async () => {
    const before = await rows();
    const mine = { pact_id: pact, title: "Mine", content: "Mine", due_on: dayIn(1) };
    expect((await mallory.client.rpc("make_pact", mine)).error).toMatchObject({ code: "FF776" });
    const row = {
      id: pact,
      user_id: mallory.id,
      submission_type: "pact",
      title: "x",
      content: "x",
    };
    const submissions = () => mallory.client.from("learning_submissions");
    expect((await submissions().insert(row)).error).not.toBeNull();
    expect((await submissions().upsert(row)).error).not.toBeNull();
    await submissions().update({ title: "Forged" }).eq("id", pact);
    await submissions().delete().eq("id", pact);
    expect(await stored("learning_submissions", "id", pact)).toMatchObject([
      { user_id: ada.id, title: "Call ten customers" },
    ]);
    expect(await rows()).toEqual(before);
  });

  test("has no witness who did not accept: authors answer for nobody, and not for themselves", async () => {
    const before = await rows();
    for (const args of [
      { pact_id: pact, accepts: true },
      { pact_id: pact, accepts: true, witness: eve.id },
      { pact_id: pact, accepts: true, user_id: eve.id },
    ]) {
      expect((await ada.client.rpc("answer_witness", args)).error).not.toBeNull();
    }
    const own = { pact_id: pact, witnesses: [ada.id] };
    expect((await ada.client.rpc("ask_witnesses", own)).error).toMatchObject({ code: "FF773" });
    expect(await rows()).toEqual(before);
    const feed = await must(mallory.client.rpc("pacts_of_submissions", { submission_ids: [pact] }));
    expect(feed).toMatchObject([{ pact_id: pact, witnesses: [{ id: tom.id }] }]);
  });

  test("tells who declined to its author alone", async () => {
    const [bob, nia] = [await member(), await member()];
    const another = await makePact(bob, [nia]);
    await must(nia.client.rpc("answer_witness", { pact_id: another, accepts: false }));
    expect(await must(bob.client.rpc("my_pacts"))).toMatchObject({
      own: [{ id: another, witnesses: [{ id: nia.id, state: "declined" }] }],
    });
    for (const { client } of [mallory, tom, nia]) {
      const told = await must(client.rpc("pacts_of_submissions", { submission_ids: [another] }));
      expect(told).toMatchObject([{ pact_id: another, witnesses: [] }]);
      expect(JSON.stringify(await must(client.rpc("my_pacts")))).not.toContain(another);
    }
  });

  test("is listed to its author and its witnesses only", async () => {
    expect(await must(ada.client.rpc("my_pacts"))).toMatchObject({ own: [{ id: pact }] });
    expect(await must(tom.client.rpc("my_pacts"))).toMatchObject({
      own: [],
      witnessing: [{ id: pact, accepted: true }],
    });
    expect(await must(mallory.client.rpc("my_pacts"))).toEqual({ own: [], witnessing: [] });
    const outsider = await newcomer();
    for (const client of [outsider.client, anonymous()]) {
      const calls = [
        ["my_pacts", {}],
        ["pacts_of_submissions", { submission_ids: [pact] }],
      ] as const;
      expect(await succeeding(client, calls)).toEqual([]);
    }
  });

  test("is closed by no outcome from before it, of another member, or of another pact", async () => {
    const submit = async ({ client, id }: Account): Promise<string> => {
      const row = { user_id: id, submission_type: "success", title: "x", content: "x" };
      const made = client.from("learning_submissions").insert(row).select("id").single();
      return String((await must(made))?.["id"]);
    };
    const bob = await member();
    const old = await submit(bob);
    const theirs = await submit(mallory);
    const [first, second] = [await makePact(bob, []), await makePact(bob, [])];
    const close = async (pact_id: string, outcome_id: string) =>
      await bob.client.rpc("close_pact", {
        pact_id,
        outcome_id,
        outcome: "success",
        title: "Done",
        content: "All ten",
      });
    for (const outcome of [old, theirs]) {
      expect((await close(first, outcome)).error).not.toBeNull();
    }
    const outcome = randomUUID();
    await must(close(first, outcome));
    expect((await close(second, outcome)).error).toMatchObject({ code: "FF777" });
    expect((await close(first, randomUUID())).error).toMatchObject({ code: "FF775" });
  });
});
