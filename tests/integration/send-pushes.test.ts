import { createPublicKey } from "node:crypto";
import { jwtVerify } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import handlePushes from "../../supabase/functions/send-pushes/handler.ts";
import { derivedPushKeys } from "../../tools/push-keys.ts";
import { finishOnboarding } from "../../tools/demo/join.ts";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { testPassword } from "../support/clients.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { startPushSink, type PushSink, type SinkSubscription } from "../support/push-sink.ts";

const subject = "mailto:operator@example.test";
const keys = derivedPushKeys({
  derive: () => Buffer.from("a key of this test, of 32 bytes.").toString("base64url"),
});

// A product of its own, because a sender takes the messages of all accounts.
let billing: BillingFixture;
let stop: () => Promise<void>;
let sink: PushSink;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  sink = await startPushSink();
  await billing.sql("insert into private.push_services (service) values ($1)", [sink.origin]);
});
afterAll(async () => {
  await sink.stop();
  await stop();
});
afterEach(() => {
  sink.answer(201);
  vi.restoreAllMocks();
});

async function member(firstName: string): Promise<Payer> {
  const payer = await billing.payer();
  await billing.pay(payer, studentPlan);
  const person = { firstName, lastName: "Byron", occupation: "Engineer", bio: "" };
  await finishOnboarding(payer.client, payer.id, person);
  await billing.sql("delete from public.notifications where user_id = $1", [payer.id]);
  return payer;
}

/** Turns push on in a new browser of the member. */
async function turnOn({ client }: Payer): Promise<SinkSubscription> {
  const subscription = sink.subscribe();
  const { error } = await client.rpc("save_push_subscription", { ...subscription });
  expect(error).toBeNull();
  return subscription;
}

/** Something that the member is told of. */
async function tell({ id }: Payer, level: number): Promise<void> {
  await billing.sql(
    "insert into public.notifications (user_id, kind, detail) values ($1, 'level_up', $2)",
    [id, `${level}`],
  );
}

/** One scheduled run. */
async function run(env: Record<string, string> = {}): Promise<unknown> {
  const { url, secretKey, serviceRoleKey } = billing.host;
  const request = new Request(`${url}/functions/v1/send-pushes`, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}` },
  });
  const answer = await handlePushes(request, {
    env: {
      SUPABASE_URL: url,
      SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey,
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
      VAPID_PUBLIC_KEY: keys.publicKey,
      VAPID_PRIVATE_KEY: keys.privateKey,
      VAPID_SUBJECT: subject,
      PUSH_LOCAL_SERVICE: sink.origin,
      ...env,
    },
  });
  return await answer.json();
}

async function passTime(): Promise<void> {
  await billing.sql("update private.push_outbox set next_attempt_at = now()");
}

async function subscriptionsOf({ id }: Payer): Promise<unknown[]> {
  return await billing.sql("select id from public.push_subscriptions where user_id = $1", [id]);
}

describe("a push message", () => {
  it("reaches each browser of the member once, encrypted, with who and where alone", async () => {
    const [ada, tom] = [await member("Ada"), await member("Tom")];
    const [laptop, phone] = [await turnOn(ada), await turnOn(ada)];
    const post = async ({ client, id }: Payer, content: string, parent?: string) => {
      const key = crypto.randomUUID();
      const { error } = await client.from("chat_messages").insert({
        id: key,
        user_id: id,
        chat_room_id: "general",
        content,
        ...(parent === undefined ? {} : { parent_message_id: parent, message_type: "reply" }),
      });
      expect(error).toBeNull();
      return key;
    };
    const message = await post(ada, "Hello");
    const reply = await post(tom, "Secret words", message);
    expect(await run()).toEqual({ sent: 2, gone: 0, later: 0 });
    expect(await run()).toEqual({ sent: 0, gone: 0, later: 0 });
    for (const { endpoint } of [laptop, phone]) {
      const [push, ...more] = sink.received(endpoint);
      expect(more).toEqual([]);
      expect(push?.message).toEqual({
        title: "Fourfold",
        body: "Tom Byron replied to your message in General",
        path: `/chats/general#${reply}`,
        tag: `reply:${message}`,
      });
      expect(push?.bytes.includes("Tom")).toBe(false);
      expect(push?.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "21600" });
      expect(push?.headers["topic"]).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(sink.received(laptop.endpoint)[0]?.headers["topic"]).toBe(
      sink.received(phone.endpoint)[0]?.headers["topic"],
    );
  });

  it("is signed for the service with the deployment's own key", async () => {
    const ada = await member("Ada");
    const { endpoint } = await turnOn(ada);
    await tell(ada, 2);
    await run();
    const header = String(sink.received(endpoint)[0]?.headers["authorization"]);
    const [, token = "", shown] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
    expect(shown).toBe(keys.publicKey);
    const point = Buffer.from(keys.publicKey, "base64url");
    const key = createPublicKey({
      format: "jwk",
      key: {
        kty: "EC",
        crv: "P-256",
        x: point.subarray(1, 33).toString("base64url"),
        y: point.subarray(33).toString("base64url"),
      },
    });
    const { payload } = await jwtVerify(token, key, { audience: sink.origin, subject });
    expect(payload.exp).toBeGreaterThan(Date.now() / 1000);
  });

  it("comes again when the service could not take it", async () => {
    const ada = await member("Ada");
    const { endpoint } = await turnOn(ada);
    await tell(ada, 2);
    for (const status of [500, 429, 403]) {
      sink.answer(status);
      expect(await run()).toEqual({ sent: 0, gone: 0, later: 1 });
      expect(await run()).toEqual({ sent: 0, gone: 0, later: 0 });
      await passTime();
    }
    sink.answer(201);
    expect(await run()).toEqual({ sent: 1, gone: 0, later: 0 });
    expect(sink.received(endpoint)).toHaveLength(4);
    expect(await subscriptionsOf(ada)).toHaveLength(1);
  });

  it.each([404, 410])("to a browser that is gone (%i) ends its subscription", async (status) => {
    const ada = await member("Ada");
    await turnOn(ada);
    await tell(ada, 2);
    sink.answer(status);
    expect(await run()).toEqual({ sent: 0, gone: 1, later: 0 });
    expect(await subscriptionsOf(ada)).toEqual([]);
  });

  it("is not led to another address", async () => {
    const ada = await member("Ada");
    await turnOn(ada);
    const other = sink.subscribe();
    await tell(ada, 2);
    sink.answer(307, other.endpoint);
    expect(await run()).toEqual({ sent: 0, gone: 0, later: 1 });
    expect(sink.received(other.endpoint)).toEqual([]);
    await billing.sql("delete from private.push_outbox");
  });

  it("stops at sign-out, in that browser alone", async () => {
    const ada = await member("Ada");
    await turnOn(ada);
    const elsewhere = billing.client(billing.host.anonKey);
    const { email } = ada;
    expect(
      (await elsewhere.auth.signInWithPassword({ email, password: testPassword })).error,
    ).toBeNull();
    const kept = await turnOn({ ...ada, client: elsewhere });
    await tell(ada, 2);
    await ada.client.auth.signOut({ scope: "local" });
    expect(await run()).toEqual({ sent: 1, gone: 0, later: 0 });
    expect(sink.received(kept.endpoint)).toHaveLength(1);
  });

  it("goes to public services only, unless a test names its own", async () => {
    const ada = await member("Ada");
    const { endpoint } = await turnOn(ada);
    await tell(ada, 2);
    expect(await run({ PUSH_LOCAL_SERVICE: "" })).toEqual({ sent: 0, gone: 1, later: 0 });
    expect(sink.received(endpoint)).toEqual([]);
  });

  it("is not sent, and waits, where push has no keys", async () => {
    const ada = await member("Ada");
    await turnOn(ada);
    await tell(ada, 2);
    expect(await run({ VAPID_PUBLIC_KEY: "", VAPID_PRIVATE_KEY: "" })).toEqual({
      sent: 0,
      gone: 0,
      later: 0,
    });
    vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await run({ VAPID_PRIVATE_KEY: "" })).toHaveProperty("error");
    expect(await run()).toEqual({ sent: 1, gone: 0, later: 0 });
  });

  it("names no address in the log when the service cannot be reached", async () => {
    const ada = await member("Ada");
    await turnOn(ada);
    await billing.sql(
      "update public.push_subscriptions set endpoint = $2 || '/secret' where user_id = $1",
      [ada.id, "http://127.0.0.1:9"],
    );
    await billing.sql("insert into private.push_services (service) values ('http://127.0.0.1:9')");
    await tell(ada, 2);
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await run({ PUSH_LOCAL_SERVICE: "http://127.0.0.1:9" })).toEqual({
      sent: 0,
      gone: 0,
      later: 1,
    });
    expect(log).toHaveBeenCalledWith(expect.stringContaining("127.0.0.1:9"));
    expect(JSON.stringify(log.mock.calls)).not.toContain("secret");
  });
});

it("the install tells the app the key that its functions sign with", async () => {
  const config = (await (await fetch(`${billing.host.url}/config.json`)).json()) as {
    vapidPublicKey: string;
  };
  expect(config.vapidPublicKey).toMatch(/^[A-Za-z0-9_-]{87}$/);
  const service = billing.client(billing.host.serviceRoleKey);
  expect(await billing.call(service, "send-pushes")).toMatchObject({ status: 200 });
});
