import { describe, expect } from "vitest";
import { openRoom, insertMessage } from "./chat-world.ts";
import { test, type World } from "./world.ts";

const checkSql = "select hooks.check_request()";

/** The error of the API, as the check raises it. */
async function answerTo(world: World, actor: string, sql = checkSql): Promise<string> {
  return await world.run(actor, sql).then(
    () => "passed",
    (error: { code?: string; message: string; detail?: string }) => {
      if (error.code !== "PGRST") return error.code ?? error.message;
      const { code } = JSON.parse(error.message) as { code: string };
      const { status } = JSON.parse(error.detail ?? "{}") as { status: number };
      return `${status} ${code}`;
    },
  );
}

/** What can happen to an account or its session while its token is still valid. */
const ends: readonly (readonly [string, string])[] = [
  ["the session was ended", "delete from auth.sessions where user_id = $1"],
  [
    "the session ran out",
    "update auth.sessions set not_after = now() - interval '1 second' where user_id = $1",
  ],
  [
    "the account is banned",
    "update auth.users set banned_until = now() + interval '1 day' where id = $1",
  ],
  ["the account was deleted", "delete from auth.users where id = $1"],
  ["the account was deleted softly", "update auth.users set deleted_at = now() where id = $1"],
];

describe("before a request", () => {
  test("visitors, the server role and live sessions pass", async ({ world }) => {
    for (const actor of ["anon", "service_role", await world.account(), await world.admin()]) {
      expect(await answerTo(world, actor)).toBe("passed");
    }
  });

  test.for(ends)("a member is refused once %s", async ([, end], { world }) => {
    const id = await world.account();
    await world.run("owner", end, [id]);
    expect(await answerTo(world, id)).toBe("401 FF003");
  });

  test("an expired ban does not count", async ({ world }) => {
    const id = await world.account();
    await world.run(
      "owner",
      "update auth.users set banned_until = now() - interval '1 second' where id = $1",
      [id],
    );
    expect(await answerTo(world, id)).toBe("passed");
  });

  test("another account's session is refused", async ({ world }) => {
    const [ada, eve] = [await world.account(), await world.account()];
    await world.run("owner", "delete from auth.sessions where user_id = $1", [eve]);
    await world.run("owner", "update auth.sessions set id = $2 where user_id = $1", [ada, eve]);
    expect(await answerTo(world, eve)).toBe("401 FF003");
  });

  test("an account with a second factor must have entered a code", async ({ world }) => {
    const id = await world.account();
    await world.addFactor(id, { shown: false });
    expect(await answerTo(world, id)).toBe("401 FF004");
    await world.run(
      "owner",
      "update auth.mfa_factors set status = 'unverified' where user_id = $1",
      [id],
    );
    expect(await answerTo(world, id)).toBe("passed");
    const shown = await world.account();
    await world.addFactor(shown);
    expect(await answerTo(world, shown)).toBe("passed");
  });

  test("the API is configured with the function to call", async ({ world }) => {
    const settings = await world.run(
      "owner",
      `select unnest(setconfig) as setting from pg_db_role_setting
        where setrole = 'authenticator'::regrole
          and setdatabase = (select oid from pg_database where datname = current_database())`,
    );
    expect(settings).toContainEqual({ setting: "pgrst.db_pre_request=hooks.check_request" });
  });
});

describe("files, channels and live updates", () => {
  const upload =
    "insert into storage.objects (bucket_id, name) values ('verification-documents', $1)";
  const publish =
    "insert into realtime.messages (topic, extension, payload) values ($1, 'broadcast', '{}')";
  const read = "select from realtime.messages where topic = $1";

  test.for(ends.slice(0, 3))("are shut once %s", async ([, end], { world }) => {
    const id = await world.member();
    const document = `${id}-verification-4711.png`;
    const room = await openRoom(world);
    await insertMessage(world, id, "Hello", { chat_room_id: room });
    const topic = `room:${room}`;
    await world.run("owner", "select set_config('realtime.topic', $1, true)", [topic]);
    expect(await world.count(id, upload, [document])).toBe(1);
    expect(await world.run(id, "select from public.chat_messages")).not.toEqual([]);
    await world.run("owner", publish, [topic]);
    expect(await world.run(id, read, [topic])).toHaveLength(1);
    await world.run("owner", end, [id]);
    await world.refused(id, "42501", upload, [`${id}-verification-4712.png`]);
    await world.refused(id, "42501", publish, [topic]);
    expect(await world.run(id, read, [topic])).toEqual([]);
    expect(await world.run(id, "select from storage.objects")).toEqual([]);
    for (const table of ["chat_messages", "learning_submissions", "user_levels", "user_progress"]) {
      expect(await world.run(id, `select from public.${table}`), table).toEqual([]);
    }
  });

  test("stay shut to what a later policy lets members send", async ({ world }) => {
    await world.run(
      "owner",
      "create policy insert_any on realtime.messages for insert to authenticated with check (true)",
    );
    const id = await world.member();
    expect(await world.count(id, publish, ["room:general"])).toBe(1);
    await world.run("owner", "delete from auth.sessions where user_id = $1", [id]);
    await world.refused(id, "42501", publish, ["room:general"]);
  });

  test("are closed without a code when the account has a second factor", async ({ world }) => {
    const id = await world.member();
    const own = "select from storage.objects where starts_with(name, $1)";
    expect(await world.run(id, own, [id])).toHaveLength(1);
    await world.addFactor(id, { shown: false });
    await world.refused(id, "42501", upload, [`${id}-verification-4712.png`]);
    for (const table of ["storage.objects", "public.chat_messages", "public.user_levels"]) {
      expect(await world.run(id, `select from ${table}`), table).toEqual([]);
    }
  });
});

describe("documents and money", () => {
  const review = "select public.review_verification($1, 'rejected', 'Not readable')";
  const queue = "select * from public.verification_queue()";
  const files =
    "select name from storage.objects where bucket_id = 'verification-documents' and name = $1";
  const rows = "select document_url from public.user_verifications where user_id = $1";
  const open = "select public.open_verification_document($1)";

  test("need a second factor from administrators", async ({ world }) => {
    const [member, admin] = [await world.newcomer(), await world.plainAdmin()];
    const row = await world.handIn(member, "1");
    await world.refused(admin, "FF005", queue);
    await world.refused(admin, "FF005", review, [row["id"]]);
    await world.refused(admin, "FF005", open, [row["id"]]);
    expect(await world.run(admin, files, [row["document_url"]])).toEqual([]);
    expect(await world.run(admin, rows, [member])).toEqual([]);
    await world.addFactor(admin);
    await world.run(admin, open, [row["id"]]);
    expect(await world.run(admin, rows, [member])).toHaveLength(1);
    expect(await world.run(admin, queue)).not.toEqual([]);
    await world.run(admin, review, [row["id"]]);
  });

  test("and the figures need one, too", async ({ world }) => {
    const admin = await world.plainAdmin();
    const figures = "select public.admin_overview() -> 'monthly_revenue_pence' as pence";
    await world.refused(admin, "FF005", figures);
    await world.addFactor(admin);
    expect(await world.one(admin, figures)).toEqual({ pence: expect.any(Number) });
  });

  test("ignore aal2 in a token when the factor was removed", async ({ world }) => {
    const admin = await world.admin();
    await world.run(admin, queue);
    await world.run("owner", "delete from auth.mfa_factors where user_id = $1", [admin]);
    await world.refused(admin, "FF005", queue);
  });

  test("stay closed to members with a second factor", async ({ world }) => {
    const [member, other] = [await world.newcomer(), await world.member()];
    const row = await world.handIn(member, "1");
    await world.addFactor(other);
    await world.refused(other, "FF002", queue);
    await world.refused(other, "FF002", review, [row["id"]]);
    expect(await world.run(other, files, [row["document_url"]])).toEqual([]);
  });
});
