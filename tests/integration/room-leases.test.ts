import { beforeEach, describe, expect, inject, it, vi } from "vitest";
import handleBeacon from "../../supabase/functions/decrement-participant-count/handler.ts";
import { administrator, member, owner } from "../security/members.ts";
import { anonymous, serviceRole, type Account } from "../support/clients.ts";

// No other test counts the participants of this room.
const roomId = "motivation";

async function count(): Promise<number> {
  const sql = "select participant_count as n from public.chat_rooms where id = $1";
  return Number((await owner.query<{ n: number }>(sql, [roomId])).rows[0]?.n);
}

async function join({ client }: Account): Promise<void> {
  const { error } = await client.rpc("increment_participant_count", { room_id: roomId });
  if (error) throw new Error(error.message);
}

async function tokenOf({ client }: Account): Promise<string> {
  return (await client.auth.getSession()).data.session?.access_token ?? "";
}

/** What a page sends while it closes. */
async function beacon(token?: string, body: string = JSON.stringify({ room_id: roomId })) {
  const { url } = inject("host");
  return await fetch(`${url}/functions/v1/decrement-participant-count`, {
    method: "POST",
    keepalive: true,
    headers: {
      "content-type": "text/plain",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
  });
}

beforeEach(async () => {
  await owner.query("delete from private.room_leases where chat_room_id = $1", [roomId]);
});

describe("the beacon of a closing page", () => {
  it("lowers the count once, however often it is sent", async () => {
    const [ada, bob] = [await member(), await member()];
    await join(ada);
    await join(bob);
    const token = await tokenOf(ada);
    for (let time = 1; time <= 3; time += 1) {
      const answer = await beacon(token);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({});
      expect(await count()).toBe(1);
    }
    const { error } = await bob.client.functions.invoke("decrement-participant-count", {
      body: { room_id: roomId },
    });
    expect(error).toBeNull();
    expect(await count()).toBe(0);
  });

  it("is answered and ignored without a session", async () => {
    const { anonKey, serviceRoleKey } = inject("host");
    const ada = await member();
    await join(ada);
    for (const token of [undefined, "nonsense", "a.b.c", anonKey, serviceRoleKey]) {
      const answer = await beacon(token);
      expect([answer.status, await answer.json()], token).toEqual([200, {}]);
    }
    const { error } = await anonymous().functions.invoke("decrement-participant-count", {
      body: { room_id: roomId },
    });
    expect(error).toBeNull();
    expect(await count()).toBe(1);
  });

  it("ends no other member's lease", async () => {
    const [ada, mallory, admin] = [await member(), await member(), await administrator()];
    await join(ada);
    for (const other of [mallory, admin]) await beacon(await tokenOf(other));
    expect(await count()).toBe(1);
  });

  it.each(["", "{", "{}", '{"room_id":7}', '{"room_id":""}', '{"room_id":"\\u0000"}'])(
    "does not take %j",
    async (body) => {
      const ada = await member();
      await join(ada);
      const answer = await beacon(await tokenOf(ada), body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: "invalid_request" });
      expect(await count()).toBe(1);
    },
  );

  it("may come from a page of another origin", async () => {
    const { url } = inject("host");
    const preflight = await fetch(`${url}/functions/v1/decrement-participant-count`, {
      method: "OPTIONS",
      headers: { origin: "https://app.example", "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBeLessThan(300);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("says so when the room could not be left", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const request = new Request("http://127.0.0.1/decrement-participant-count", {
      method: "POST",
      headers: { authorization: `Bearer ${await tokenOf(await member())}` },
      body: JSON.stringify({ room_id: roomId }),
    });
    // Nothing listens there.
    const env = { SUPABASE_URL: "http://127.0.0.1:9", SUPABASE_ANON_KEY: inject("host").anonKey };
    const answer = await handleBeacon(request, { env });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      error: "The room could not be left.",
      code: "internal_error",
    });
    expect(log).toHaveBeenCalledOnce();
    log.mockRestore();
  });
});

describe("the sweep of leases", () => {
  const sweep = async () =>
    await serviceRole().functions.invoke<{ expired: number }>("expire-room-leases");

  it("ends leases that were not renewed for 90 seconds, and no others", async () => {
    const [ada, bob] = [await member(), await member()];
    await join(ada);
    await join(bob);
    await owner.query(
      "update private.room_leases set expires_at = now() - interval '1 second' where user_id = $1",
      [ada.id],
    );
    // The scheduler of the product sweeps as well, and may have been faster.
    const { data, error } = await sweep();
    expect(error).toBeNull();
    expect(typeof data?.expired).toBe("number");
    expect(await count()).toBe(1);
    await sweep();
    await join(bob);
    expect(await count()).toBe(1);
  });

  it("is for the scheduler alone", async () => {
    for (const { client } of [await member(), await administrator()]) {
      const { error } = await client.functions.invoke("expire-room-leases");
      const refusal = (error as { context: Response }).context;
      expect(refusal.status).toBe(403);
    }
  });
});
