import { randomUUID } from "node:crypto";
import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { member, owner } from "./members.ts";
import { makeRoom, removeRooms } from "./rooms.ts";

afterAll(removeRooms);

type Client = Account["client"];

/** What a listener is told of: `table id`, where the id is whatever identifies the row. */
class Told {
  readonly lines: string[] = [];
  #wake: () => void = () => undefined;

  readonly add = (line: string): void => {
    this.lines.push(line);
    this.#wake();
  };

  /** Resolves once the line was told; the test's timeout is the limit. */
  async until(line: string): Promise<void> {
    while (!this.lines.includes(line)) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

const open: Client[] = [];
afterAll(async () => {
  for (const client of open) await client.removeAllChannels();
});

/** Listens to everything that happens in these tables. */
async function listen(client: Client, tables: readonly string[]): Promise<Told> {
  open.push(client);
  await client.realtime.setAuth();
  const told = new Told();
  const channel = client.channel(randomUUID());
  for (const table of tables) {
    channel.on("postgres_changes", { event: "DELETE", schema: "public", table }, (change) => {
      told.add([table, ...Object.values(change.old).map(String)].join(" "));
    });
  }
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve();
      else reject(error ?? new Error(status));
    });
  });
  return told;
}

async function idOf(sql: string, values: unknown[]): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(sql, values);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`no row from ${sql}`);
  return id;
}

let ada: Account;
let bob: Account;
/** One row of Ada's of each published table, by the table's name. */
let rowsOfAda: Record<string, string>;
beforeAll(async () => {
  [ada, bob] = [await member(), await member()];
  const message = await idOf(
    "insert into public.chat_messages (user_id, chat_room_id, content) values ($1, $2, 'Hello') returning id",
    [ada.id, await makeRoom()],
  );
  const direct = { message_id: randomUUID(), recipient_id: bob.id, content: "Between us" };
  expect((await ada.client.rpc("send_direct_message", direct)).error).toBeNull();
  rowsOfAda = {
    user_verifications: await idOf("select id from public.user_verifications where user_id = $1", [
      ada.id,
    ]),
    user_levels: ada.id,
    user_progress: ada.id,
    chat_messages: message,
    direct_messages: direct.message_id,
    notifications: await idOf(
      "insert into public.notifications (user_id, kind, detail) values ($1, 'level_up', '2') returning id",
      [ada.id],
    ),
    learning_submissions: await idOf(
      "insert into public.learning_submissions (user_id, submission_type, title, content) values ($1, 'success', 'It runs', 'At last') returning id",
      [ada.id],
    ),
  };
});

/** Told to the account of the row alone, by the row's key. */
const toldToOwner = ["user_levels", "user_progress", "notifications"];
/** Told to everyone who listens, by the row's key alone: the feed takes a post away at once. */
const toldToEveryone = ["learning_submissions"];

test("a deleted row is told to its owner, of posts to everyone, and to nobody else", async () => {
  const published = await owner.query<{ tablename: string }>(
    "select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by 1",
  );
  const tables = published.rows.map(({ tablename }) => tablename);
  // A table that is published next needs a row here, and a decision.
  expect(Object.keys(rowsOfAda).toSorted()).toEqual(tables);
  const toAda = await listen(ada.client, tables);
  const strangers = [await listen(bob.client, tables), await listen(anonymous(), tables)];
  // The post goes last: what was told of the others has come when it comes.
  const order = [...tables.filter((table) => !toldToEveryone.includes(table)), ...toldToEveryone];
  for (const table of order) {
    const key = ["user_levels", "user_progress"].includes(table) ? "user_id" : "id";
    const { rowCount } = await owner.query(`delete from public.${table} where ${key} = $1`, [
      rowsOfAda[table],
    ]);
    expect(rowCount, table).toBe(1);
  }
  const line = (table: string) => `${table} ${rowsOfAda[table]}`;
  const last = line("learning_submissions");
  await Promise.all([toAda, strangers[0]].map(async (told) => await told?.until(last)));
  await strangers[1]?.until("learning_submissions");
  // Others that run at the same time delete posts of their own.
  const ofOthers = (told: Told | undefined) =>
    told?.lines.filter((each) => !each.startsWith("learning_submissions"));
  expect(ofOthers(toAda)?.toSorted()).toEqual(toldToOwner.map(line).toSorted());
  expect(strangers.map(ofOthers)).toEqual([[], []]);
});

test("a filter for another's account tells nothing of what they are told of", async () => {
  const { id } = await member();
  const told = await listen(bob.client, ["learning_submissions"]);
  const channel = bob.client
    .channel(randomUUID())
    .on(
      "postgres_changes",
      { event: "*", schema: "public", table: "notifications", filter: `user_id=eq.${id}` },
      (change) => told.add(`notifications ${JSON.stringify(change.old)}`),
    );
  await new Promise<void>((resolve) => {
    channel.subscribe((status) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve();
    });
  });
  await owner.query(
    "insert into public.notifications (user_id, kind, detail) values ($1, 'level_up', '3')",
    [id],
  );
  await owner.query("delete from public.notifications where user_id = $1", [id]);
  const post = await idOf(
    "insert into public.learning_submissions (user_id, submission_type, title, content) values ($1, 'success', 'Next', 'One more') returning id",
    [id],
  );
  await owner.query("delete from public.learning_submissions where id = $1", [post]);
  await told.until(`learning_submissions ${post}`);
  expect(told.lines.filter((each) => each.startsWith("notifications"))).toEqual([]);
});
