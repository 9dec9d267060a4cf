import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Hono } from "hono";
import { WebSocketServer } from "ws";
import type { HostContext } from "../context.ts";
import { InvalidToken } from "../keys.ts";
import { createBroadcastApp } from "./broadcast-app.ts";
import { ChangeFeed } from "./changes/change-feed.ts";
import { Hub } from "./channels/hub.ts";
import { followEndedSessions } from "./ended-sessions.ts";
import { Connection } from "./connection.ts";
import { broadcastFromDatabase } from "./database-broadcast.ts";
import { Identities, SESSION_ENDED } from "./identity.ts";
import { LIMITS, type RealtimeLimits } from "./limits.ts";
import { isOriginAllowed } from "./origin.ts";
import { Outbox } from "./outbox.ts";
import type { RealtimeParts } from "./parts.ts";
import { purgeMessages } from "./purge-messages.ts";
import { LogRelay, NO_RELAY, RELAY_PREFIX } from "./relay.ts";

const PATH = "/realtime/v1/websocket";
/** How long clients may take to answer that the host is stopping. */
const FAREWELL_MS = 1_000;

/** Realtime as the rest of the host sees it. */
export interface Realtime {
  /** HTTP routes, mounted at /realtime/v1. */
  app: Hono;
  /** Takes over a connection that asks to become a socket; false when it is not meant for us. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  stop: () => Promise<void>;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Changes, broadcasts and presence as hosted Supabase has them. See docs/subsystems/realtime.md. */
export function createRealtime(context: HostContext, limits: RealtimeLimits = LIMITS): Realtime {
  const hub = new Hub();
  const feed = new ChangeFeed(context, {
    opened: () => parts.relay.begin(),
    message: (change) => broadcastFromDatabase(hub, change),
    relayed: (prefix, content) => {
      if (prefix === RELAY_PREFIX) parts.relay.receive(content);
    },
  });
  const parts: RealtimeParts = {
    context,
    feed,
    hub,
    identities: new Identities(context),
    limits,
    outbox: new Outbox(),
    // An embedded database has one host; over any other there may be more.
    relay: context.config.databaseUrl === undefined ? NO_RELAY : new LogRelay(context, hub, limits),
  };
  const purging = purgeMessages(context, limits.purgeEveryMs);
  const connections = new Set<Connection>();
  let rechecking: Promise<void> | undefined;
  /** One channel after the other, so that asking for many never takes the database from requests. */
  const recheckAll = async () => {
    for (const connection of connections) {
      for (const channel of connection.channels) await channel.recheck();
    }
  };
  const sweeping = setInterval(() => {
    for (const connection of connections) connection.sweep();
    parts.relay.sweep();
    rechecking ??= recheckAll()
      .catch((error: unknown) => context.log.warn({ err: error }, "rights could not be asked"))
      .finally(() => (rechecking = undefined));
  }, limits.sweepEveryMs);
  sweeping.unref();
  const endings = followEndedSessions(
    context,
    (ending) => {
      for (const connection of connections) {
        for (const channel of connection.channels) {
          if (channel.isHeldBy(ending)) channel.shutDown(SESSION_ENDED);
        }
      }
    },
    () => {
      for (const connection of connections) {
        for (const channel of connection.channels) channel.forgetAnswer();
      }
    },
  );
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
  });

  const accept = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const query = new URL(request.url ?? "/", context.localUrl).searchParams;
    const key = query.get("apikey") ?? String(request.headers["apikey"] ?? "");
    if (!isOriginAllowed(context, request)) {
      refuse(socket, "403 Forbidden");
      return;
    }
    try {
      await parts.identities.of(key, undefined);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      refuse(socket, "401 Unauthorized");
      return;
    }
    const version = query.get("vsn") === "2.0.0" ? "2.0.0" : "1.0.0";
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = new Connection(parts, webSocket, socket, version, key);
      connections.add(connection);
      webSocket.on("close", () => connections.delete(connection));
    });
  };

  return {
    app: createBroadcastApp(parts),
    upgrade: (request, socket, head) => {
      if (request.url?.split("?")[0] !== PATH) return false;
      socket.on("error", () => socket.destroy());
      accept(request, socket, head).catch((error: unknown) => {
        context.log.error({ err: error }, "a socket could not be opened");
        refuse(socket, "503 Service Unavailable");
      });
      return true;
    },
    stop: async () => {
      for (const connection of connections) connection.goAway();
      const deadline = setTimeout(() => {
        for (const connection of connections) connection.terminate();
      }, FAREWELL_MS);
      server.close();
      purging.stop();
      await endings.stop();
      clearInterval(sweeping);
      await rechecking;
      await feed.close();
      await Promise.all(
        [...server.clients].map(async (client) => {
          if (client.readyState === client.CLOSED) return;
          await new Promise((resolve) => client.once("close", resolve));
        }),
      );
      clearTimeout(deadline);
      // Last, when leaving has told the other hosts of everybody who was present here.
      await parts.relay.close();
    },
  };
}
