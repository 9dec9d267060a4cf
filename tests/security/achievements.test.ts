import { randomUUID } from "node:crypto";
import { FunctionsHttpError, type SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { expectHidden, storedPrivately } from "./hidden-tables.ts";
import {
  administrator,
  member,
  newcomer,
  owner,
  plainAdministrator,
  setSubscriptionStatus,
} from "./members.ts";

const tables = ["achievements", "active_weeks", "certificates", "shared_cards"] as const;

async function must<T>(answer: PromiseLike<{ data: T; error: unknown }>): Promise<T> {
  const { data, error } = await answer;
  expect(error).toBeNull();
  return data;
}

interface Earned {
  readonly earned: { readonly key: string }[];
  readonly certificates: { readonly id: string; readonly is_revoked: boolean }[];
  readonly shared: { readonly code: string }[];
}

const earnedBy = async ({ client }: Account): Promise<Earned> =>
  (await must(client.rpc("my_achievements"))) as Earned;

/** The first submission, which is an achievement, and the last lesson of a course, which is a certificate. */
async function graduate(): Promise<{ ada: Account; certificate: string; code: string }> {
  const ada = await member();
  const row = { user_id: ada.id, submission_type: "success", title: "x", content: "x" };
  await must(ada.client.from("learning_submissions").insert(row));
  const { rows: issued } = await owner.query<{ id: string; code: string }>(
    `insert into private.certificates (user_id, course_id, course_title, member_name, completed_at)
     select $1, id, title, 'Ada Byron', now() from public.courses limit 1 returning id, code`,
    [ada.id],
  );
  const [{ id: certificate, code } = { id: "", code: "" }] = issued;
  return { ada, certificate, code };
}

/** The answer of a function that visitors may call. */
async function lookUp(name: string, code: string): Promise<unknown> {
  const { data, error } = await anonymous().functions.invoke<unknown>(name, { body: { code } });
  if (error === null) return data;
  if (!(error instanceof FunctionsHttpError)) throw error;
  return (error.context as Response).status;
}

describe("achievements, certificates and cards", () => {
  let ada: Account;
  let certificate: string;
  let code: string;
  let mallory: Account;
  let others: [string, SupabaseClient][];
  const rows = async () => await storedPrivately(tables, [ada.id, mallory.id]);
  beforeAll(async () => {
    ({ ada, certificate, code } = await graduate());
    mallory = await member();
    const lapsed = await member();
    await setSubscriptionStatus(lapsed.id, "canceled");
    others = [
      ["another member", mallory.client],
      ["a mentor", (await member("mentor-access")).client],
      ["a lapsed member", lapsed.client],
      ["an account without a membership", (await newcomer()).client],
      ["a visitor", anonymous()],
      ["an administrator without a second factor", (await plainAdministrator()).client],
    ];
  });

  test("stand in no table that any client can name", async () => {
    const before = await rows();
    const admin = await administrator();
    const forged = {
      user_id: mallory.id,
      key: "pacts_10",
      achievement: "pacts_10",
      code: "AAAAAAAAAAAAAAAAAAAA",
      revoked_at: null,
    };
    for (const client of [mallory.client, admin.client, anonymous()]) {
      await expectHidden(client, [...tables, "achievement_kinds"], forged);
    }
    expect(await rows()).toEqual(before);
  });

  test("are earned by events, not by any call: the events cannot be forged", async () => {
    const before = await earnedBy(mallory);
    expect(before.earned).toEqual([]);
    const { client, id } = mallory;
    // No function takes an achievement, and none takes a member.
    for (const [name, args] of [
      ["award_achievements", { member: id, measures: ["pacts"] }],
      ["issue_certificate", { member: id, course: certificate }],
      ["record_progress_event", { member: id, kind: "message" }],
      ["share_card", { achievement: "levels_4" }],
      ["share_card", { achievement: "levels_4", certificate_id: certificate }],
      ["share_card", {}],
    ] as const) {
      expect((await client.rpc(name, args)).error, name).not.toBeNull();
    }
    // Their inputs: levels, progress and finished courses are the database's.
    await client.from("user_levels").upsert({ user_id: id, current_level: 4 });
    await client.from("user_progress").upsert({ user_id: id, messages_sent: 9999 });
    await client.from("level_completions").insert({ user_id: id, level: 4 });
    const { rows: courses } = await owner.query<{ id: string }>(
      "select id from public.courses limit 1",
    );
    const course = { user_id: id, course_id: courses[0]?.id, progress: 100 };
    await client
      .from("course_enrollments")
      .upsert({ ...course, completed_at: new Date().toISOString() });
    await client
      .from("course_enrollments")
      .update({ progress: 100, completed_at: new Date().toISOString() })
      .eq("user_id", id);
    expect(await earnedBy(mallory)).toMatchObject({ earned: [], certificates: [], shared: [] });
  });

  test("are told to their member alone", async () => {
    expect(await earnedBy(ada)).toMatchObject({
      earned: [{ key: expect.stringContaining("submission") as string }],
      certificates: [{ id: certificate, is_revoked: false }],
    });
    const own = await must(ada.client.rpc("my_certificate", { certificate_id: certificate }));
    expect(own).toMatchObject({ code });
    for (const [who, client] of others) {
      for (const [name, args] of [
        ["my_achievements", {}],
        ["my_achievements", { member: ada.id }],
        ["my_certificate", { certificate_id: certificate }],
        ["verify_certificate", { code, visitor: "a".repeat(64) }],
        ["shared_card", { code, visitor: "a".repeat(64) }],
        ["export_my_data", {}],
      ] as const) {
        const told = JSON.stringify(await client.rpc(name, args));
        for (const secret of [certificate, code, "Ada Byron"]) {
          expect(told, `${who}: ${name}`).not.toContain(secret);
        }
      }
    }
  });

  test("of a member who hides them are on no profile", async () => {
    const { ada: shy } = await graduate();
    const profile = async () =>
      JSON.stringify(await must(mallory.client.rpc("member_profile", { member_id: shy.id })));
    expect(await profile()).toContain("submission");
    await must(
      shy.client.rpc("set_profile_choices", {
        topics: [],
        is_listed: true,
        shows_submissions: false,
        shows_achievements: false,
      }),
    );
    // Nobody else chooses that.
    await mallory.client
      .from("profile_choices")
      .update({ shows_achievements: true })
      .eq("user_id", shy.id);
    await mallory.client
      .from("profile_choices")
      .upsert({ user_id: shy.id, shows_achievements: true });
    const told = JSON.parse(await profile()) as { achievements?: unknown };
    expect(told.achievements ?? []).toEqual([]);
  });

  test("are shared and taken back by their member alone", async () => {
    const card = String(await must(ada.client.rpc("share_card", { certificate_id: certificate })));
    expect(await lookUp("shared-card", card)).toMatchObject({ card: { name: "Ada Byron" } });
    const before = await rows();
    for (const [who, client] of others) {
      // Another's is left alone, whether it answers that or not.
      await client.rpc("stop_sharing", { code: card });
      for (const args of [{ certificate_id: certificate }, { certificate_id: randomUUID() }]) {
        expect((await client.rpc("share_card", args)).error, who).not.toBeNull();
      }
    }
    expect(await rows()).toEqual(before);
    await must(ada.client.rpc("stop_sharing", { code: card }));
    expect(await lookUp("shared-card", card)).not.toMatchObject({ card: { name: "Ada Byron" } });
  });

  test("are revoked by an administrator with a second factor, and by nobody else", async () => {
    const { ada: eve, certificate: theirs, code: known } = await graduate();
    const call = { code: known, reason: "Copied" };
    for (const [who, client] of [["its member", eve.client], ...others] as const) {
      expect((await client.rpc("revoke_certificate", call)).error, who).not.toBeNull();
    }
    expect(await lookUp("verify-certificate", known)).toMatchObject({
      certificate: { is_revoked: false },
    });
    const admin = await administrator();
    await must(admin.client.rpc("revoke_certificate", call));
    expect(await lookUp("verify-certificate", known)).toMatchObject({
      certificate: { is_revoked: true },
    });
    const share = await eve.client.rpc("share_card", { certificate_id: theirs });
    expect(share.error).toMatchObject({ code: "FF860" });
  });

  test("stay with a member who lapses, and are read again when the membership is back", async () => {
    const { ada: eve, certificate: kept } = await graduate();
    await setSubscriptionStatus(eve.id, "canceled");
    expect(await must(eve.client.rpc("my_certificate", { certificate_id: kept }))).not.toBeNull();
    await setSubscriptionStatus(eve.id, "active");
    expect((await earnedBy(eve)).certificates).toMatchObject([{ id: kept }]);
  });
});
