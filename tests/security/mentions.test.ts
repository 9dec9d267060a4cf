import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { administrator, member, newcomer, owner, plainAdministrator } from "./members.ts";
import { makeRoom, postMessage, removeRooms, setLevel } from "./rooms.ts";

afterAll(removeRooms);

let ada: Account;
let tom: Account;
let mallory: Account;
let submission: string;
let comment: string;
let message: string;

async function added(account: Account, table: string, row: object): Promise<string> {
  const { data, error } = await account.client
    .from(table)
    .insert({ user_id: account.id, ...row })
    .select("id")
    .single<{ id: string }>();
  expect(error).toBeNull();
  return data?.id ?? "";
}

/** The name of an account as it stands after @. */
async function nameOf({ id }: Account): Promise<string> {
  const sql =
    "select btrim(concat_ws(' ', first_name, last_name)) as name from public.profiles where id = $1";
  return (await owner.query<{ name: string }>(sql, [id])).rows[0]?.name ?? "";
}

beforeAll(async () => {
  [ada, tom, mallory] = [await member(), await member(), await member()];
  const at = `@${await nameOf(tom)}`;
  const words = { submission_type: "success", title: "Mine", content: `Thanks ${at}` };
  submission = await added(ada, "learning_submissions", words);
  comment = await added(ada, "learning_submission_comments", {
    submission_id: submission,
    content: `And ${at}`,
  });
  message = await postMessage(ada, `Hello ${at}`);
});

const tellingOf = (members: readonly string[]) =>
  [
    ["mention_members", { message, members }],
    ["mention_in_submission", { submission_id: submission, members }],
    ["mention_in_comment", { comment_id: comment, members }],
  ] as const;

describe("mentions", () => {
  test("are made by the author of the text alone", async () => {
    for (const [name, body] of tellingOf([tom.id])) {
      expect((await anonymous().rpc(name, body)).error, name).toMatchObject({ code: "42501" });
      const { error } = await mallory.client.rpc(name, body);
      expect(error?.code, name).toMatch(/^FF(316|332|333)$/);
    }
    expect((await tom.client.rpc("my_notifications")).data).toMatchObject({
      unread: 0,
      items: [],
    });
  });

  test("of one text reach ten members however many calls come at once", async () => {
    const crowd = await Promise.all(Array.from({ length: 12 }, async () => await member()));
    const names = await Promise.all(crowd.map(async (each) => `@${await nameOf(each)}`));
    const content = names.join(" ");
    const own = {
      mention_members: await postMessage(ada, content),
      mention_in_submission: await added(ada, "learning_submissions", {
        submission_type: "success",
        title: "Thanks",
        content,
      }),
      mention_in_comment: await added(ada, "learning_submission_comments", {
        submission_id: submission,
        content,
      }),
    };
    const keys = {
      mention_members: "message",
      mention_in_submission: "submission_id",
      mention_in_comment: "comment_id",
    } as const;
    for (const name of Object.keys(keys) as (keyof typeof keys)[]) {
      const calls = crowd.flatMap(({ id }) => [id, id]);
      const answers = await Promise.all(
        calls.map(async (id) => ada.client.rpc(name, { [keys[name]]: own[name], members: [id] })),
      );
      expect(answers.map(({ error }) => error).filter(Boolean)).toEqual([]);
      const told = "select from public.notifications where subject_id = $1 and actor_id = $2";
      expect((await owner.query(told, [own[name], ada.id])).rowCount, name).toBe(10);
    }
  });

  test("are read by readers of the place alone, and are no table of the API", async () => {
    for (const [name, body] of tellingOf([tom.id])) {
      expect((await ada.client.rpc(name, body)).error, name).toBeNull();
    }
    const subjects = [message, submission, comment];
    const names = async ({ client }: Pick<Account, "client">) =>
      await client.rpc("mentions_in", { subjects });
    expect((await names(mallory)).data).toHaveLength(3);
    expect((await names(await newcomer())).data).toEqual([]);
    expect((await anonymous().rpc("mentions_in", { subjects })).error?.code).toBe("42501");
    for (const table of ["mentions", "room_announcements", "reports"]) {
      expect((await mallory.client.from(table).select()).error?.code, table).toBe("PGRST205");
    }
  });
});

describe("@everyone", () => {
  test("by a member or a mentor tells nobody, and cannot be read or marked for another", async () => {
    // Members of other files are not to be told: only a few there reach this level.
    const room = await makeRoom(4);
    for (const { id } of [tom, mallory]) await setLevel(id, 4);
    await postMessage(mallory, "Hello @everyone", room);
    const announced = "select from public.room_announcements";
    await expect(owner.query(announced)).rejects.toThrow("does not exist");
    const { rowCount } = await owner.query(
      "select from private.room_announcements a join public.chat_messages m on m.id = a.message_id where m.user_id = $1",
      [mallory.id],
    );
    expect(rowCount).toBe(0);
    const admin = await administrator();
    const told = await postMessage(admin, "Hello @everyone", room);
    interface Bell {
      readonly items: readonly {
        readonly id: number;
        readonly message_id?: string;
        unread: boolean;
      }[];
    }
    const line = async ({ client }: Account) =>
      ((await client.rpc("my_notifications")).data as Bell).items.find(
        ({ message_id }) => message_id === told,
      );
    const theirs = await line(tom);
    expect(theirs).toMatchObject({ unread: true });
    const up_to = new Date(Date.now() + 60_000).toISOString();
    const marks = { up_to, notification_id: theirs?.id };
    expect((await mallory.client.rpc("mark_notifications_read", marks)).error).toBeNull();
    expect(await line(mallory)).toMatchObject({ unread: false });
    expect(await line(tom)).toMatchObject({ unread: true });
    expect(await line(await newcomer())).toBeUndefined();
  });
});

describe("reports of submissions and comments", () => {
  test("are made by members and decided by administrators with a second factor", async () => {
    const calls = [
      ["report", { kind: "submission", subject_id: submission, reason: "Spam" }],
      ["report", { kind: "comment", subject_id: comment, reason: "Spam" }],
    ] as const;
    const outsider = await newcomer();
    for (const [name, body] of calls) {
      expect((await anonymous().rpc(name, body)).error?.code, name).toBe("42501");
      expect((await outsider.client.rpc(name, body)).error?.code, name).toBe("FF700");
      expect((await ada.client.rpc(name, body)).error?.code, name).toBe("FF318");
      expect((await mallory.client.rpc(name, body)).error, name).toBeNull();
    }
    const resolve = { report_id: 1, decision: "remove" };
    const plain = await plainAdministrator();
    for (const [account, code] of [
      [mallory, "FF002"],
      [plain, "FF009"],
    ] as const) {
      expect((await account.client.rpc("report_queue")).error?.code).toBe(code);
      const { error } = await account.client.rpc("resolve_report", resolve);
      expect(error?.code).toBe(code);
    }
    expect((await anonymous().rpc("resolve_report", resolve)).error?.code).toBe("42501");
    expect(
      (await ada.client.from("learning_submissions").select().eq("id", submission)).data,
    ).toHaveLength(1);
  });
});
