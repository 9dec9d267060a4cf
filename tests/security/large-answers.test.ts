import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Account } from "../support/clients.ts";
import { peakCallerMemory } from "../support/postgres-memory.ts";
import { member, newcomer, owner } from "./members.ts";

const mb = 1024 * 1024;
const times = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(",");

async function ask(account: Account, path: string) {
  const { url, anonKey } = inject("host");
  const { data } = await account.client.auth.getSession();
  const response = await fetch(`${url}/rest/v1${path}`, {
    headers: { apikey: anonKey, authorization: `Bearer ${data.session?.access_token ?? ""}` },
  });
  const text = await response.text();
  const body: unknown = JSON.parse(text);
  return { status: response.status, code: Reflect.get(Object(body), "code"), length: text.length };
}

/** Requests that once made the process run out of memory. */
describe("an unpaid account with 64 KB of onboarding answers", () => {
  let unpaid: Account;
  beforeAll(async () => {
    unpaid = await newcomer();
    const { error } = await unpaid.client
      .from("onboarding_progress")
      .upsert({ user_id: unpaid.id, current_step: 6, data: { a: "x".repeat(65_000) } });
    expect(error).toBeNull();
  });

  test.for([
    ["320 times in one row", `/onboarding_progress?select=${times(320, (at) => `a${at}:data`)}`],
    ["by 320 paths", `/onboarding_progress?select=${times(320, (at) => `a${at}:data->a`)}`],
    ["as 320 texts", `/onboarding_progress?select=${times(320, (at) => `a${at}:data::text`)}`],
  ])("cannot ask for it %s", async ([, path]) => {
    const peak = await peakCallerMemory(owner, async () => {
      expect(await ask(unpaid, path ?? "")).toMatchObject({ status: 400, code: "PGRST100" });
    });
    expect(peak).toBeLessThan(400 * mb);
  });

  test("reads them once and several times", async () => {
    for (const select of ["*", "data", times(5, (at) => `a${at}:data`)]) {
      const { status, length } = await ask(unpaid, `/onboarding_progress?select=${select}`);
      expect(status).toBe(200);
      expect(length).toBeGreaterThan(65_000);
    }
  });
});

describe("a member of a room with 900 long messages", () => {
  let reader: Account;
  beforeAll(async () => {
    reader = await member();
    await owner.query(
      `insert into public.chat_messages (user_id, chat_room_id, content)
       select $1, 'general', repeat(md5(g::text), 60)
       from generate_series(1, 900) g`,
      [reader.id],
    );
  });

  test.for([
    "/chat_messages?select=*,profiles(*,chat_messages(*))",
    "/chat_messages?select=*,profiles(chat_messages(*,profiles(chat_messages(*))))",
    "/profiles?select=*,a:chat_messages(*,profiles(chat_messages(*))),b:chat_messages(*)",
  ])("cannot multiply them: %s", async (path) => {
    const peak = await peakCallerMemory(owner, async () => {
      const { status, code } = await ask(reader, path);
      expect([status, code]).toEqual([400, "HR001"]);
    });
    expect(peak).toBeLessThan(400 * mb);
  });

  test("reads them", async () => {
    const { status, length } = await ask(
      reader,
      `/chat_messages?select=*&user_id=eq.${reader.id}&limit=1000`,
    );
    expect(status).toBe(200);
    expect(length).toBeGreaterThan(mb);
  });
});
