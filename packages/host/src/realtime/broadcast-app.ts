import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { z } from "zod";
import { clientAddress, senderOf } from "../limits/client-address.ts";
import { InvalidToken } from "../keys.ts";
import { admitBroadcast, type BroadcastAnswer } from "./broadcast-limits.ts";
import type { Broadcast, TopicName } from "./channels/hub.ts";
import { askPermissions } from "./channels/permissions.ts";
import { isBusy } from "./busy.ts";
import { QueueFull } from "./fair-queue.ts";
import type { Identity } from "./identity.ts";
import type { RealtimeParts } from "./parts.ts";
import type { Caller } from "./senders.ts";

const batch = z.object({
  messages: z
    .array(
      z.object({
        topic: z.string().min(1),
        event: z.string().min(1),
        payload: z.record(z.string(), z.unknown()),
        private: z.boolean().default(false),
      }),
    )
    .max(1000),
});

/** As hosted projects put it. */
const RATE_EXCEEDED = "You have exceeded your rate limit";
const PAYLOAD_EXCEEDED = "Payload size exceeds tenant limit";
/** The answer to whoever sends too much; seconds. */
const RETRY_AFTER_S = "1";

/** Who sends, and what was found out about its rights on private topics. */
class HttpSender {
  readonly caller: Caller;
  readonly #parts: RealtimeParts;
  readonly #identity: Identity;
  readonly #mayWrite = new Map<string, boolean>();

  constructor(parts: RealtimeParts, identity: Identity, address: string) {
    this.#parts = parts;
    this.#identity = identity;
    this.caller = parts.senders.caller(identity, parts.senders.address(address));
  }

  /** Sends one broadcast if the sender may; on a private topic its policies decide. */
  async send(name: TopicName, broadcast: Broadcast): Promise<BroadcastAnswer | "forbidden"> {
    const { hub, relay } = this.#parts;
    if (name.isPrivate && !(await this.#maySpeak(name.topic))) return "forbidden";
    const answer = admitBroadcast(hub, this.caller, name, broadcast);
    if (answer !== "ok") return answer;
    hub.broadcast(name, broadcast);
    relay.broadcast(name, broadcast);
    return "ok";
  }

  /** @throws {QueueFull} */
  async #maySpeak(topic: string): Promise<boolean> {
    const known = this.#mayWrite.get(topic);
    if (known !== undefined) return known;
    const { context, joinPool, joinQueue } = this.#parts;
    if (!this.caller.spend("joins", 1)) throw new QueueFull("Too many private topics.");
    const { broadcastWrite } = await joinQueue.run(
      this.caller,
      async () =>
        await askPermissions({ db: joinPool, log: context.log }, topic, this.#identity.identity),
    );
    this.#mayWrite.set(topic, broadcastWrite);
    return broadcastWrite;
  }
}

function tooMany(c: Context, message: string): Response {
  return c.json({ message }, 429, { "retry-after": RETRY_AFTER_S });
}

/** Broadcasting by HTTP, for whoever has no socket. */
export function createBroadcastApp(parts: RealtimeParts): Hono {
  const app = new Hono();
  app.use(cors({ origin: "*", allowMethods: ["POST"], maxAge: 3600 }));
  app.use(
    bodyLimit({
      maxSize: parts.limits.frameBytes,
      onError: (c) => c.json({ message: PAYLOAD_EXCEEDED }, 413),
    }),
  );
  const senderOfRequest = async (c: Context) => {
    const identity = await parts.identities.ofHeaders(c.req.raw.headers);
    const address = senderOf(clientAddress(c, parts.context.config.trustedProxy));
    const sender = new HttpSender(parts, identity, address);
    // Before the database is asked: whoever has spent everything is to cost nothing more.
    if (!sender.caller.spend("httpMessages", 1)) throw new QueueFull(RATE_EXCEEDED);
    await parts.joinQueue.run(
      sender.caller,
      async () => await parts.identities.assertLive(identity),
    );
    return sender;
  };
  app.post("/api/broadcast", async (c) => {
    const sender = await senderOfRequest(c);
    const parsed = batch.safeParse(await c.req.json().catch(() => undefined));
    if (!parsed.success) return c.json({ errors: z.treeifyError(parsed.error) }, 422);
    const { messages } = parsed.data;
    const more = messages.length - 1;
    if (more > 0 && !sender.caller.spend("httpMessages", more)) return tooMany(c, RATE_EXCEEDED);
    for (const { topic, event, payload, private: isPrivate } of messages) {
      const broadcast = { event, payload: JSON.stringify(payload) };
      const answer = await sender.send({ topic, isPrivate }, broadcast);
      // One that may not be sent is left out, as on hosted projects: the sender learns nothing of others.
      if (answer === "ok" || answer === "forbidden") continue;
      if (answer !== "payload_size_exceeded") return tooMany(c, RATE_EXCEEDED);
      return c.json({ errors: { payload: [PAYLOAD_EXCEEDED] } }, 422);
    }
    return c.body(null, 202);
  });
  app.post("/api/broadcast/:topic/events/:event", async (c) => {
    const sender = await senderOfRequest(c);
    if (c.req.queries("persist") ?? c.req.query("persist[ttl]")) {
      return c.json({ error: "Broadcasts sent by HTTP are not stored; use realtime.send." }, 422);
    }
    const isBinary = c.req.header("content-type")?.startsWith("application/octet-stream") === true;
    const bytes = Buffer.from(await c.req.arrayBuffer());
    let payload: Broadcast["payload"] = bytes;
    if (!isBinary) {
      try {
        payload = JSON.stringify(JSON.parse(bytes.toString("utf8")));
      } catch {
        return c.json({ error: "The body is not JSON." }, 422);
      }
    }
    const { topic, event } = c.req.param();
    const name = { topic, isPrivate: c.req.query("private") === "true" };
    const answer = await sender.send(name, { event, payload });
    if (answer === "ok") return c.body(null, 202);
    if (answer === "forbidden") return c.json({ error: "Forbidden" }, 403);
    if (answer !== "payload_size_exceeded") return tooMany(c, RATE_EXCEEDED);
    return c.json({ message: PAYLOAD_EXCEEDED }, 413);
  });
  app.onError((error, c) => {
    if (error instanceof InvalidToken) return c.json({ message: error.message }, 401);
    if (isBusy(error)) return tooMany(c, RATE_EXCEEDED);
    parts.context.log.error({ err: error, path: c.req.path }, "broadcast request failed");
    return c.json({ message: "Internal Server Error" }, 500);
  });
  return app;
}
