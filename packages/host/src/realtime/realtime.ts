import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Hono } from "hono";
import { WebSocketServer } from "ws";
import type { HostContext } from "../context.ts";
import { Admission, refuse } from "./admission.ts";
import { createBroadcastApp } from "./broadcast-app.ts";
import { isBusy } from "./busy.ts";
import { ByteBudget } from "./byte-budget.ts";
import { AskedFilters } from "./changes/asked-filters.ts";
import { ChangeFeed } from "./changes/change-feed.ts";
import { FilterTrials } from "./changes/filter-trials.ts";
import { Hub } from "./channels/hub.ts";
import { followEndedSessions } from "./ended-sessions.ts";
import { Connection } from "./connection.ts";
import { broadcastFromDatabase } from "./database-broadcast.ts";
import { FairQueue } from "./fair-queue.ts";
import { Identities, SESSION_ENDED } from "./identity.ts";
import { LIMITS, type RealtimeLimits } from "./limits.ts";
import { Outbox } from "./outbox.ts";
import type { RealtimeParts } from "./parts.ts";
import { purgeMessages } from "./purge-messages.ts";
import { LogRelay, NO_RELAY, RELAY_PREFIX } from "./relay.ts";
import { Senders } from "./senders.ts";
import { SharedBytes } from "./shared-bytes.ts";

const PATH = "/realtime/v1/websocket";
/** How long clients may take to answer that the host is stopping. */
const FAREWELL_MS = 1_000;
/** Parts a message may come in, and reads of the network it may take. */
const MOST_FRAGMENTS = 256;
const MOST_CHUNKS = 4_096;

/** Realtime as the rest of the host sees it. */
export interface Realtime {
  /** HTTP routes, mounted at /realtime/v1. */
  app: Hono;
  /** Takes over a connection that asks to become a socket; false when it is not meant for us. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  stop: () => Promise<void>;
}

function createParts(context: HostContext, limits: RealtimeLimits): RealtimeParts {
  const hub = new Hub(limits, context.now);
  const joinPool = context.db.joins;
  const feed = new ChangeFeed(context, {
    opened: () => parts.relay.begin(),
    message: (change) => broadcastFromDatabase(hub, change),
    relayed: (prefix, content) => {
      if (prefix === RELAY_PREFIX) parts.relay.receive(content);
    },
  });
  const parts: RealtimeParts = {
    askedFilters: new AskedFilters(limits.askedFilters),
    context,
    feed,
    filterTrials: new FilterTrials(joinPool),
    hub,
    identities: new Identities(context),
    joinBytes: new ByteBudget(limits.joinBytes),
    joinPool,
    joinQueue: new FairQueue({
      atOnce: limits.joinsAtOnce,
      waiting: limits.joinsWaiting,
      waitingStrangers: limits.joinsWaitingOfStrangers,
      waitingPerCaller: limits.joinsWaitingPerCaller,
    }),
    limits,
    outbox: new Outbox(),
    // An embedded database has one host; over any other there may be more.
    relay: context.config.databaseUrl === undefined ? NO_RELAY : new LogRelay(context, hub, limits),
    senders: new Senders(limits, context.now),
    strangers: new Set(),
    unsent: new SharedBytes({
      limit: limits.allUnsentBytes,
      bytesOf: (connection) => connection.unsentBytes,
      end: (connection) => connection.terminate(),
    }),
    waiting: new SharedBytes({
      limit: limits.waitingBytes,
      bytesOf: (connection) => connection.waitingBytes,
      end: (connection) => connection.terminate(),
    }),
  };
  return parts;
}

/** Changes, broadcasts and presence as hosted Supabase has them. See docs/subsystems/realtime.md. */
export function createRealtime(context: HostContext, limits: RealtimeLimits = LIMITS): Realtime {
  const parts = createParts(context, limits);
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
    parts.senders.sweep();
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
    maxFragments: MOST_FRAGMENTS,
    maxBufferedChunks: MOST_CHUNKS,
    // Compression would hold a window of its own for each socket.
    perMessageDeflate: false,
  });
  const admission = new Admission(parts);

  const accept = async (request: IncomingMessage, wire: Duplex, head: Buffer) => {
    const admitted = await admission.admit(request, wire);
    if (admitted === undefined) return;
    server.handleUpgrade(request, wire, head, (webSocket) => {
      const connection = new Connection(parts, webSocket, admitted);
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
        if (isBusy(error)) context.log.warn({ err: error }, "a socket found the database busy");
        else context.log.error({ err: error }, "a socket could not be opened");
        refuse(socket, "503 Service Unavailable", "Error connecting to Realtime");
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
      await parts.feed.close();
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
