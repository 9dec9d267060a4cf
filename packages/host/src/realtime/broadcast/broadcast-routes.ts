// Broadcast over HTTP: the `/api/broadcast` routes that `channel.httpSend()` and servers call.

import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { z } from "zod";
import { clientAddress, clientNetwork } from "../../limits/client-address.ts";
import { InvalidToken } from "../../keys.ts";
import { checkBroadcastLimits, type BroadcastResult } from "./broadcast-limits.ts";
import type { Broadcast, TopicName } from "../channels/topic-registry.ts";
import { queryPermissions } from "../channel-authorization/topic-permissions.ts";
import { isBusy } from "../limits/busy-errors.ts";
import { QueueFullError } from "../limits/fair-queue.ts";
import type { VerifiedToken } from "../channel-authorization/token-verifier.ts";
import type { RealtimeServices } from "../server/realtime-services.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";

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

/** Same texts as hosted projects. */
const rateLimitExceeded = "You have exceeded your rate limit";
const payloadTooLarge = "Payload size exceeds tenant limit";
/** Value of `Retry-After`. */
const retryAfterSeconds = "1";

/** The caller of a request, and its permissions on private topics as far as they were checked. */
class HttpBroadcaster {
  readonly caller: RealtimeCaller;
  readonly #services: RealtimeServices;
  readonly #auth: VerifiedToken;
  readonly #canWrite = new Map<string, boolean>();

  constructor(services: RealtimeServices, auth: VerifiedToken, address: string) {
    this.#services = services;
    this.#auth = auth;
    this.caller = services.callers.caller(auth, services.callers.address(address));
  }

  /** Sends one broadcast if the caller may. On a private topic, policies decide. */
  async send(name: TopicName, broadcast: Broadcast): Promise<BroadcastResult | "forbidden"> {
    const { topics, clusterBus } = this.#services;
    if (name.isPrivate && !(await this.#canBroadcast(name.topic))) return "forbidden";
    const result = checkBroadcastLimits(topics, this.caller, name, broadcast);
    if (result !== "ok") return result;
    topics.broadcast(name, broadcast);
    clusterBus.broadcast(name, broadcast);
    return "ok";
  }

  /** @throws {QueueFullError} */
  async #canBroadcast(topic: string): Promise<boolean> {
    const known = this.#canWrite.get(topic);
    if (known !== undefined) return known;
    const { context, joinPool, joinQueue } = this.#services;
    if (!this.caller.spend("joins", 1)) throw new QueueFullError("Too many private topics.");
    const { broadcastWrite } = await joinQueue.run(
      this.caller,
      async () =>
        await queryPermissions({ db: joinPool, log: context.log }, topic, this.#auth.identity),
    );
    this.#canWrite.set(topic, broadcastWrite);
    return broadcastWrite;
  }
}

function tooManyRequests(c: Context, message: string): Response {
  return c.json({ message }, 429, { "retry-after": retryAfterSeconds });
}

/** Routes to broadcast over HTTP. */
export function createBroadcastRoutes(services: RealtimeServices): Hono {
  const app = new Hono();
  app.use(cors({ origin: "*", allowMethods: ["POST"], maxAge: 3600 }));
  app.use(
    bodyLimit({
      maxSize: services.limits.frameBytes,
      onError: (c) => c.json({ message: payloadTooLarge }, 413),
    }),
  );
  const authenticate = async (c: Context) => {
    const auth = await services.tokenVerifier.verifyHeaders(c.req.raw.headers);
    const address = clientNetwork(clientAddress(c, services.context.config.trustedProxy));
    const broadcaster = new HttpBroadcaster(services, auth, address);
    // Before any query: a caller over its limit must not cause one.
    if (!broadcaster.caller.spend("httpMessages", 1)) throw new QueueFullError(rateLimitExceeded);
    await services.joinQueue.run(
      broadcaster.caller,
      async () => await services.tokenVerifier.assertSessionActive(auth),
    );
    return broadcaster;
  };
  app.post("/api/broadcast", async (c) => {
    const broadcaster = await authenticate(c);
    const parsed = batch.safeParse(await c.req.json().catch(() => undefined));
    if (!parsed.success) return c.json({ errors: z.treeifyError(parsed.error) }, 422);
    const { messages } = parsed.data;
    const more = messages.length - 1;
    if (more > 0 && !broadcaster.caller.spend("httpMessages", more))
      return tooManyRequests(c, rateLimitExceeded);
    for (const { topic, event, payload, private: isPrivate } of messages) {
      const broadcast = { event, payload: JSON.stringify(payload) };
      const result = await broadcaster.send({ topic, isPrivate }, broadcast);
      // A forbidden message is skipped, as on hosted projects, so that the caller learns nothing about the topic.
      if (result === "ok" || result === "forbidden") continue;
      if (result !== "payload_size_exceeded") return tooManyRequests(c, rateLimitExceeded);
      return c.json({ errors: { payload: [payloadTooLarge] } }, 422);
    }
    return c.body(null, 202);
  });
  app.post("/api/broadcast/:topic/events/:event", async (c) => {
    const broadcaster = await authenticate(c);
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
    const result = await broadcaster.send(name, { event, payload });
    if (result === "ok") return c.body(null, 202);
    if (result === "forbidden") return c.json({ error: "Forbidden" }, 403);
    if (result !== "payload_size_exceeded") return tooManyRequests(c, rateLimitExceeded);
    return c.json({ message: payloadTooLarge }, 413);
  });
  app.onError((error, c) => {
    if (error instanceof InvalidToken) return c.json({ message: error.message }, 401);
    if (isBusy(error)) return tooManyRequests(c, rateLimitExceeded);
    services.context.log.error({ err: error, path: c.req.path }, "broadcast request failed");
    return c.json({ message: "Internal Server Error" }, 500);
  });
  return app;
}
