import { beforeAll, describe, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { administrator, member, newcomer, plainAdministrator } from "./members.ts";

let ada: Account;
let mallory: Account;
beforeAll(async () => {
  ada = await member();
  mallory = await member();
});

const profileOf = async (reader: Pick<Account, "client">, id: string) =>
  await reader.client.rpc("member_profile", { member_id: id });

describe("profiles and the directory", () => {
  test("answer nobody but members", async () => {
    const newMember = await newcomer();
    for (const [name, body] of [
      ["member_profile", { member_id: ada.id }],
      ["people_page", {}],
      ["set_profile_choices", { topics: [], is_listed: true, shows_submissions: true }],
      ["block_member", { member_id: ada.id }],
      ["report", { kind: "profile", subject_id: ada.id, reason: "Spam" }],
    ] as const) {
      expect((await newMember.client.rpc(name, body)).error, name).toMatchObject({ code: "FF700" });
      expect((await anonymous().rpc(name, body)).error, name).not.toBeNull();
    }
    const choices = "user_id, topics, is_listed, shows_submissions, shows_achievements";
    expect((await anonymous().from("profile_choices").select(choices)).error).not.toBeNull();
    expect((await newMember.client.from("profile_choices").select(choices)).data).toEqual([]);
  });

  test("hold a forged row for nobody", async () => {
    const { client } = mallory;
    const choices = { user_id: ada.id, topics: ["Forged"], is_listed: false };
    expect((await client.from("profile_choices").insert(choices)).error?.code).toBe("42501");
    expect((await client.from("profile_choices").upsert(choices)).error?.code).toBe("42501");
    expect(
      (await client.from("profile_choices").update({ is_listed: false }).eq("user_id", ada.id))
        .error?.code,
    ).toBe("42501");
    // Blocks are in no table of the API.
    expect((await client.from("member_blocks").select()).error?.code).toBe("PGRST205");
    expect((await profileOf(mallory, ada.id)).data).toMatchObject({ id: ada.id, topics: [] });
  });

  test("take a search as words, whatever is in it", async () => {
    for (const search of ["' or true --", "%", "\\", "a' <% 'b", "$$;select 1", "_".repeat(200)]) {
      for (const filter of ["search", "occupation", "topic"]) {
        const body = { [filter]: filter === "search" ? search : search.slice(0, 40) };
        const { data, error } = await mallory.client.rpc("people_page", body);
        expect(error, search).toBeNull();
        expect(data, search).toEqual([]);
      }
    }
  });
});

describe("a block", () => {
  test("looks to the blocked member like an account that is gone", async () => {
    expect((await ada.client.rpc("block_member", { member_id: mallory.id })).error).toBeNull();
    const gone = await profileOf(mallory, "00000000-0000-4000-8000-000000000000");
    const blocked = await profileOf(mallory, ada.id);
    expect([blocked.status, blocked.data, blocked.error]).toEqual([
      gone.status,
      gone.data,
      gone.error,
    ]);
    expect((await mallory.client.rpc("my_blocks")).data).toEqual([]);
    // Taking back somebody else's block changes nothing.
    await mallory.client.rpc("unblock_member", { member_id: ada.id });
    await mallory.client.rpc("unblock_member", { member_id: mallory.id });
    expect((await profileOf(mallory, ada.id)).data).toBeNull();
    // Blocking back is answered as it is for everybody.
    const back = await mallory.client.rpc("block_member", { member_id: ada.id });
    expect(back.error).toBeNull();
    await mallory.client.rpc("unblock_member", { member_id: ada.id });
    await ada.client.rpc("unblock_member", { member_id: mallory.id });
    expect((await profileOf(mallory, ada.id)).data).not.toBeNull();
  });
});

describe("a report of a member", () => {
  test("is read and decided by administrators with a second factor only", async () => {
    const report = { kind: "profile", subject_id: mallory.id, reason: "Sells coins" };
    expect((await ada.client.rpc("report", report)).error).toBeNull();
    for (const [{ client }, code] of [
      [ada, "FF002"],
      [mallory, "FF002"],
      [await plainAdministrator(), "FF009"],
    ] as const) {
      expect((await client.rpc("report_queue")).error).toMatchObject({ code });
      const act = { report_id: 1, decision: "keep" };
      expect((await client.rpc("resolve_report", act)).error).toMatchObject({ code });
    }
    const { client } = await administrator();
    const { data } = await client.rpc("report_queue");
    const rows = data as { report_id: number; subject_id: string }[];
    const row = rows.find(({ subject_id }) => subject_id === mallory.id);
    const act = { report_id: row?.report_id ?? 0, decision: "keep" };
    expect((await client.rpc("resolve_report", act)).error).toBeNull();
  });
});
