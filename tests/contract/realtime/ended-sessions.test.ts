import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from "@supabase/supabase-js";
import { afterAll, afterEach, describe, expect, inject, test } from "vitest";
import { anonymous, ownerPool, testPassword, serviceRole, signUp } from "../../support/clients.ts";
import type { Account } from "../../support/clients.ts";

const host = inject("host");
const owner = ownerPool();
const open: Account[] = [];
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.realtime.disconnect();
});
afterAll(async () => await owner.end());

async function account(): Promise<Account> {
  const made = await signUp();
  open.push(made);
  return made;
}

/** Joins a public topic. @returns the first status, and a promise of the end of the channel. */
async function join(
  { client }: Account,
  topic = "ended-sessions",
): Promise<{ channel: RealtimeChannel; status: string; closed: Promise<void> }> {
  const channel = client.channel(topic, { config: { broadcast: { ack: true } } });
  const closed = Promise.withResolvers<void>();
  const first = Promise.withResolvers<string>();
  channel.subscribe((status) => {
    first.resolve(status);
    if (status === REALTIME_SUBSCRIBE_STATES.CLOSED) closed.resolve();
  });
  return { channel, status: await first.promise, closed: closed.promise };
}

const ends: readonly (readonly [string, (account: Account) => Promise<unknown>])[] = [
  [
    "signing out everywhere from another device",
    async ({ email }) => {
      const other = anonymous();
      await other.auth.signInWithPassword({ email, password: testPassword });
      await other.auth.signOut({ scope: "global" });
    },
  ],
  [
    "a ban",
    async ({ id }) => await serviceRole().auth.admin.updateUserById(id, { ban_duration: "1h" }),
  ],
  ["deletion", async ({ id }) => await serviceRole().auth.admin.deleteUser(id)],
];

describe.each(ends)("%s", (_, end) => {
  test("closes the channels of the session and lets it join none", async () => {
    const [ada, bob] = [await account(), await account()];
    const mine = await join(ada);
    const theirs = await join(bob);
    expect([mine.status, theirs.status]).toEqual(["SUBSCRIBED", "SUBSCRIBED"]);
    await end(ada);
    await mine.closed;
    const again = await join(ada, "another-topic");
    expect(again.status).toBe("CHANNEL_ERROR");
    const sent = { type: "broadcast", event: "e", payload: {} } as const;
    expect(await theirs.channel.send(sent)).toBe("ok");
  });

  test("ends broadcasting by HTTP with the same token", async () => {
    const ada = await account();
    const { data } = await ada.client.auth.getSession();
    const send = async () => {
      const response = await fetch(`${host.url}/realtime/v1/api/broadcast`, {
        method: "POST",
        headers: {
          apikey: host.anonKey,
          authorization: `Bearer ${data.session?.access_token ?? ""}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ messages: [{ topic: "t", event: "e", payload: {} }] }),
      });
      return response.status;
    };
    expect(await send()).toBe(202);
    await end(ada);
    expect(await send()).toBe(401);
  });
});
