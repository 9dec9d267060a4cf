import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { z } from "zod";
import { InvalidToken } from "../keys.ts";
import type { Broadcast, TopicName } from "./channels/hub.ts";
import { askPermissions } from "./channels/permissions.ts";
import type { Identity } from "./identity.ts";
import type { RealtimeParts } from "./parts.ts";

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

/** Sends one broadcast if the sender may; on a private topic its policies decide. */
async function send(
  parts: RealtimeParts,
  identity: Identity,
  name: TopicName,
  broadcast: Broadcast,
): Promise<boolean> {
  if (name.isPrivate) {
    const permissions = await askPermissions(parts.context, name.topic, identity.viewer);
    if (!permissions.broadcastWrite) return false;
  }
  parts.hub.broadcast(name, broadcast);
  parts.relay.broadcast(name, broadcast);
  return true;
}

/** Broadcasting by HTTP, for whoever has no socket. */
export function createBroadcastApp(parts: RealtimeParts): Hono {
  const app = new Hono();
  app.use(cors({ origin: "*", allowMethods: ["POST"], maxAge: 3600 }));
  app.use(
    bodyLimit({
      maxSize: parts.limits.frameBytes,
      onError: (c) => c.json({ message: "Payload size exceeds tenant limit" }, 413),
    }),
  );
  app.post("/api/broadcast", async (c) => {
    const identity = await parts.identities.ofHeaders(c.req.raw.headers);
    await parts.identities.assertLive(identity);
    const parsed = batch.safeParse(await c.req.json().catch(() => undefined));
    if (!parsed.success) return c.json({ errors: z.treeifyError(parsed.error) }, 422);
    for (const { topic, event, payload, private: isPrivate } of parsed.data.messages) {
      // One that may not be sent is left out, as on hosted projects: the sender learns nothing of others.
      await send(
        parts,
        identity,
        { topic, isPrivate },
        { event, payload: JSON.stringify(payload) },
      );
    }
    return c.body(null, 202);
  });
  app.post("/api/broadcast/:topic/events/:event", async (c) => {
    const identity = await parts.identities.ofHeaders(c.req.raw.headers);
    await parts.identities.assertLive(identity);
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
    const isSent = await send(parts, identity, name, { event, payload });
    return isSent ? c.body(null, 202) : c.json({ error: "Forbidden" }, 403);
  });
  app.onError((error, c) => {
    if (error instanceof InvalidToken) return c.json({ message: error.message }, 401);
    parts.context.log.error({ err: error, path: c.req.path }, "broadcast request failed");
    return c.json({ message: "Internal Server Error" }, 500);
  });
  return app;
}
