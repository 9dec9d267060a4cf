import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Account } from "../support/clients.ts";
import { administrator, member, owner } from "./members.ts";
import { makeRoom, removeRooms, setLevel } from "./rooms.ts";

afterAll(removeRooms);

let ada: Account;
let bob: Account;
beforeAll(async () => {
  [ada, bob] = [await member(), await member()];
});

/** A member whom the directory does not list. */
async function unlisted(): Promise<Account> {
  const account = await member();
  const choices = { topics: [], is_listed: false, shows_submissions: true };
  expect((await account.client.rpc("set_profile_choices", choices)).error).toBeNull();
  return account;
}

/** Whether the reader finds the member's row of `profiles`, by id and among all rows. */
async function finds({ client }: Account, { id }: Account): Promise<boolean> {
  const byId = await client.from("profiles").select("id, first_name, bio").eq("id", id);
  const all = await client.from("profiles").select("id");
  const counted = await client
    .from("profiles")
    .select("*", { count: "exact", head: true })
    .eq("id", id);
  expect([byId.error, all.error, counted.error]).toEqual([null, null, null]);
  const answers = [
    byId.data?.length === 1,
    all.data?.some((row) => row.id === id),
    counted.count === 1,
  ];
  expect(new Set(answers).size, "one answer to one question").toBe(1);
  return answers[0] === true;
}

async function say(who: Account, room: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    "insert into public.chat_messages (user_id, chat_room_id, content) values ($1, $2, 'Hello') returning id",
    [who.id, room],
  );
  return String(rows[0]?.id);
}

describe("a member who is not listed", () => {
  test("is read by nobody but themselves and administrators, others as before", async () => {
    const hidden = await unlisted();
    expect(await finds(bob, hidden)).toBe(false);
    expect(await finds(bob, ada)).toBe(true);
    expect(await finds(hidden, hidden)).toBe(true);
    expect(await finds(hidden, bob)).toBe(true);
    expect(await finds(await administrator(), hidden)).toBe(true);
    const filtered = await bob.client.from("profiles").select("id").ilike("bio", "%Counts%");
    expect(filtered.data?.some(({ id }) => id === hidden.id)).toBe(false);
  });

  test("is read beside what they wrote in a room, by those who may enter it", async () => {
    const hidden = await unlisted();
    const room = await makeRoom(2);
    const message = await say(hidden, room);
    expect(await finds(bob, hidden)).toBe(false);
    const guest = await member();
    await setLevel(guest.id, 2);
    expect(await finds(guest, hidden)).toBe(true);
    const read = await guest.client
      .from("chat_messages")
      .select("id, author:profiles(first_name)")
      .eq("id", message)
      .single();
    expect(read.data).toEqual({ id: message, author: { first_name: "Ada" } });
  });

  test("is read beside a post, a comment and a message to the reader", async () => {
    const [poster, commenter, writer] = [await unlisted(), await unlisted(), await unlisted()];
    const post = await poster.client
      .from("learning_submissions")
      .insert({
        user_id: poster.id,
        submission_type: "success",
        title: "It runs",
        content: "At last.",
      })
      .select("id")
      .single();
    expect(post.error).toBeNull();
    const comment = {
      user_id: commenter.id,
      submission_id: String(post.data?.id),
      content: "Good.",
    };
    expect(
      (await commenter.client.from("learning_submission_comments").insert(comment)).error,
    ).toBeNull();
    const direct = { message_id: crypto.randomUUID(), recipient_id: bob.id, content: "Hello" };
    expect((await writer.client.rpc("send_direct_message", direct)).error).toBeNull();
    for (const each of [poster, commenter, writer]) expect(await finds(bob, each)).toBe(true);
    // Nobody else meets the writer.
    expect(await finds(ada, writer)).toBe(false);
  });

  test("is read while they are in a room that the reader may enter", async () => {
    const hidden = await unlisted();
    await owner.query(
      "insert into private.room_leases (user_id, chat_room_id, expires_at) values ($1, $2, now() + interval '1 minute')",
      [hidden.id, await makeRoom()],
    );
    expect(await finds(bob, hidden)).toBe(true);
    await owner.query("delete from private.room_leases where user_id = $1", [hidden.id]);
    expect(await finds(bob, hidden)).toBe(false);
  });
});

describe("reading the table of profiles", () => {
  /** Counts the member's last reads as many at once, so that the limit is near. */
  async function hasRead(id: string, times: number): Promise<void> {
    await owner.query(
      `insert into private.rate_usage (user_id, action, recent)
         values ($1, 'people', array_fill(clock_timestamp(), array[$2::integer]))
       on conflict (user_id, action) do update set recent = excluded.recent`,
      [id, times],
    );
  }

  async function read({ client }: Account, path: string, method: string) {
    const { url, anonKey } = inject("host");
    const { data } = await client.auth.getSession();
    const headers = {
      apikey: anonKey,
      authorization: `Bearer ${data.session?.access_token ?? ""}`,
    };
    return await fetch(`${url}/rest/v1/${path}`, { method, headers });
  }

  test("counts with the directory, 120 a minute, however it is written", async () => {
    const reader = await member();
    for (const path of ["profiles?limit=1", "profiles/?limit=1", "%70rofiles?limit=1"]) {
      for (const method of ["GET", "HEAD"]) {
        await hasRead(reader.id, 119);
        const last = await read(reader, path, method);
        expect([path, method, last.status]).toEqual([path, method, 200]);
        const more = await read(reader, path, method);
        expect([path, method, more.status]).toEqual([path, method, 400]);
        if (method === "GET") expect(await more.json()).toMatchObject({ code: "FF300" });
      }
    }
    expect((await reader.client.rpc("people_page", {})).error).toMatchObject({ code: "FF300" });
    // Other tables, and another member, are read as before.
    expect((await read(reader, "chat_rooms?limit=1&select=id", "GET")).status).toBe(200);
    expect((await read(bob, "profiles?limit=1", "GET")).status).toBe(200);
  });
});
