import { randomUUID } from "node:crypto";
import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import {
  administrator,
  member,
  newcomer,
  plainAdministrator,
  setSubscriptionStatus,
  stored,
} from "./members.ts";

type Client = Account["client"];
const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.removeAllChannels();
});

interface Sent {
  readonly id: string;
  readonly conversation_id: string;
}

async function write(from: Account, to: Account, content: string): Promise<Sent> {
  const message = { message_id: randomUUID(), recipient_id: to.id, content };
  const { data, error } = await from.client.rpc("send_direct_message", message);
  if (error) throw new Error(error.message);
  return data as Sent;
}

/** Collects what the socket delivers to an account of the table of direct messages. */
async function listen({ client }: Pick<Account, "client">, wake: () => void): Promise<string[]> {
  open.push(client);
  await client.realtime.setAuth();
  const contents: string[] = [];
  const channel = client
    .channel(`direct:${randomUUID()}`)
    .on("postgres_changes", { event: "*", schema: "public", table: "direct_messages" }, (one) => {
      contents.push(String((one.new as Record<string, unknown>)["content"]));
      wake();
    });
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve();
      else reject(error ?? new Error(status));
    });
  });
  return contents;
}

/** Whether the client may join the private channel. */
async function mayJoin({ client }: Pick<Account, "client">, topic: string): Promise<boolean> {
  open.push(client);
  await client.realtime.setAuth();
  const channel = client.channel(topic, { config: { private: true } });
  const isIn = await new Promise<boolean>((resolve) => {
    channel.subscribe((status) => resolve(status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED));
  });
  await client.removeChannel(channel);
  return isIn;
}

describe("a conversation of two members", () => {
  let ada: Account;
  let bob: Account;
  let mallory: Account;
  let sent: Sent;
  beforeAll(async () => {
    [ada, bob, mallory] = [await member(), await member(), await member()];
    sent = await write(ada, bob, "Between us");
  });

  test("is neither read nor changed by another member, an administrator or a visitor", async () => {
    const admin = await administrator();
    for (const { client } of [mallory, admin]) {
      const rows = await client.from("direct_messages").select("*");
      expect(rows).toMatchObject({ error: null, data: [] });
      const { data } = await client.rpc("direct_conversation", { id: sent.conversation_id });
      expect(data).toBeNull();
      const acts = {
        edit_direct_message: { message_id: sent.id, new_content: "Forged" },
        delete_direct_message: { message_id: sent.id },
        report: { kind: "direct_message", subject_id: sent.id, reason: "Spam" },
      };
      for (const [name, body] of Object.entries(acts)) {
        expect((await client.rpc(name, body)).error, name).toMatchObject({ code: "FF316" });
      }
      const reading = { conversation_id: sent.conversation_id, up_to: new Date().toISOString() };
      expect((await client.rpc("mark_conversation_read", reading)).error?.code).toBe("FF814");
      const typing = { conversation_id: sent.conversation_id };
      expect((await client.rpc("notify_direct_typing", typing)).error?.code).toBe("FF814");
    }
    for (const name of ["direct_conversation", "send_direct_message", "set_message_choice"]) {
      expect((await anonymous().rpc(name)).error, name).not.toBeNull();
    }
    expect(await stored("direct_messages", "id", sent.id)).toMatchObject([
      { content: "Between us", deleted_at: null },
    ]);
  });

  test("holds no forged row, and has no argument for another sender", async () => {
    const row = {
      id: randomUUID(),
      conversation_id: sent.conversation_id,
      user_id: ada.id,
      content: "Forged",
    };
    const table = () => mallory.client.from("direct_messages");
    for (const { error } of [
      await table().insert(row),
      await table().upsert(row),
      await table().update({ content: "Forged" }).eq("id", sent.id),
      await table().delete().eq("id", sent.id),
      await mallory.client.from("message_choices").upsert({ user_id: ada.id, accepts: "nobody" }),
    ]) {
      expect(error?.code).toBe("42501");
    }
    const message = { message_id: randomUUID(), recipient_id: bob.id, content: "Forged" };
    const named = await mallory.client.rpc("send_direct_message", {
      ...message,
      sender_id: ada.id,
    });
    expect(named.error?.code).toBe("PGRST202");
    for (const name of ["direct_conversations", "direct_reads", "reports"]) {
      expect((await mallory.client.from(name).select()).error?.code, name).toBe("PGRST205");
    }
    const outsider = await newcomer();
    expect((await outsider.client.rpc("send_direct_message", message)).error?.code).toBe("FF700");
    expect((await mallory.client.rpc("my_conversations")).data).toEqual([]);
    expect(await stored("direct_messages", "content", "Forged")).toEqual([]);
  });

  test("is delivered to the two alone, and only while they may read it", async () => {
    const [eve, tom] = [await member(), await member()];
    const admin = await administrator();
    let wake: () => void = () => undefined;
    const [own, others, outside, above] = [
      await listen(eve, () => wake()),
      await listen(tom, () => wake()),
      await listen(mallory, () => wake()),
      await listen(admin, () => wake()),
    ];
    const tell = async (from: Account, to: Account, word: string) => {
      await write(from, to, word);
      while (!own.includes(word)) await new Promise<void>((resolve) => (wake = resolve));
    };
    await tell(eve, tom, "first");
    const { conversation_id } = await write(eve, tom, "second");
    expect(await mayJoin(tom, `direct:${conversation_id}`)).toBe(true);
    await setSubscriptionStatus(tom.id, "canceled");
    const refused = await eve.client.rpc("send_direct_message", {
      message_id: randomUUID(),
      recipient_id: tom.id,
      content: "Are you there?",
    });
    expect(refused.error).toMatchObject({ code: "FF810" });
    // What changes meanwhile is not delivered either.
    const taken = { message_id: (await stored("direct_messages", "content", "first"))[0]?.["id"] };
    expect((await eve.client.rpc("delete_direct_message", taken)).error).toBeNull();
    while (!own.includes("")) await new Promise<void>((resolve) => (wake = resolve));
    await setSubscriptionStatus(tom.id, "active");
    await tell(eve, tom, "back");
    while (!others.includes("back")) await new Promise<void>((resolve) => (wake = resolve));
    expect(others).toEqual(["first", "second", "back"]);
    expect([outside, above]).toEqual([[], []]);
    for (const outsider of [mallory, admin, { client: anonymous() }]) {
      expect(await mayJoin(outsider, `direct:${conversation_id}`)).toBe(false);
    }
  });
});

test("reports of texts are read and decided by administrators with a second factor only", async () => {
  const [ada, eve] = [await member(), await member()];
  const { id } = await write(eve, ada, "Coins for sale");
  const report = { kind: "direct_message", subject_id: id, reason: "Spam" };
  expect((await ada.client.rpc("report", report)).error).toBeNull();
  const post = { post_id: randomUUID(), kind: "offer", title: "Coins", details: "Cheap" };
  expect((await eve.client.rpc("save_collaboration_post", post)).error).toBeNull();
  const forged = { ...post, title: "Forged" };
  expect((await ada.client.rpc("save_collaboration_post", forged)).error?.code).toBe("FF832");
  const closing = { post_id: post.post_id };
  expect((await ada.client.rpc("close_collaboration_post", closing)).error?.code).toBe("FF832");
  for (const [{ client }, code] of [
    [ada, "FF002"],
    [eve, "FF002"],
    [await plainAdministrator(), "FF009"],
  ] as const) {
    expect((await client.rpc("report_queue")).error).toMatchObject({ code });
    const act = { report_id: 1, decision: "remove" };
    expect((await client.rpc("resolve_report", act)).error).toMatchObject({ code });
  }
  expect(await stored("direct_messages", "id", id)).toMatchObject([{ content: "Coins for sale" }]);
});
