// Assembles Realtime: its services, WebSocket server, periodic sweeps and shutdown.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Hono } from "hono";
import { WebSocketServer } from "ws";
import type { HostContext } from "../../context.ts";
import type { HealthChecks } from "../../health/health-check.ts";
import { UpgradeGate, rejectUpgrade } from "./upgrade-gate.ts";
import { createBroadcastRoutes } from "../broadcast/broadcast-routes.ts";
import { isBusy } from "../limits/busy-errors.ts";
import { ByteBudget } from "../limits/byte-budget.ts";
import { DatabaseFilterQuota } from "../postgres-changes/database-filter-quota.ts";
import { ChangeFeed } from "../postgres-changes/change-feed.ts";
import type { SubscriptionRegistry } from "../postgres-changes/subscription-registry.ts";
import { guardSlots } from "../postgres-changes/slot-guard.ts";
import { FilterCompiler } from "../postgres-changes/filter-compiler.ts";
import { TopicRegistry } from "../channels/topic-registry.ts";
import { listenForEndedSessions } from "../channel-authorization/ended-sessions.ts";
import { SocketConnection } from "../socket/socket-connection.ts";
import { broadcastFromDatabase } from "../broadcast/database-broadcast.ts";
import { FairQueue } from "../limits/fair-queue.ts";
import { TokenVerifier, sessionEndedReason } from "../channel-authorization/token-verifier.ts";
import { realtimeDefaults, type RealtimeLimits } from "../limits/realtime-limits.ts";
import { WriteBatcher } from "../socket/write-batcher.ts";
import { realtimeChecks } from "./realtime-checks.ts";
import type { RealtimeServices } from "./realtime-services.ts";
import { purgeMessages } from "../broadcast/purge-messages.ts";
import { HostBus, noClusterBus } from "./cluster-bus.ts";
import { ClusterTransport, clusterBusPrefix } from "./cluster-transport.ts";
import { CallerRegistry } from "../limits/caller-registry.ts";
import {
  ownSource,
  SharedSource,
  type ChangeSource,
  type SourceFigures,
} from "../shared-log/change-source.ts";
import type { SharedLog } from "../shared-log/shared-log.ts";
import type { PubSub } from "../../redis/pub-sub.ts";
import { SharedByteLimit } from "../limits/shared-byte-limit.ts";

const websocketPath = "/realtime/v1/websocket";
/** How long clients may take to answer the closing frame when the host stops. */
const closeTimeoutMs = 1_000;
/** Limits of fragments and network reads for one message. */
const maxFragments = 256;
const maxBufferedChunks = 4_096;

/** What several hosts share outside of their database, with Redis. */
export interface SharedByHosts {
  log?: SharedLog;
  pubSub?: PubSub;
  /** Called when Realtime has stopped. */
  close?: () => void;
}

/** The Realtime service. */
export interface Realtime {
  /** HTTP routes, mounted at /realtime/v1. */
  app: Hono;
  /** Takes over an upgrade request; false when its path is not Realtime's. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  openSockets: () => number;
  /** Whether another host over the same database is heard. */
  hasPeers: () => boolean;
  /** How changes reach this host. */
  changeFigures: () => SourceFigures;
  checks: () => HealthChecks;
  stop: () => Promise<void>;
}

/** The changes of this host: decoded once for all hosts where they share a log. */
function changeSourceOf(
  context: HostContext,
  sharedLog: SharedLog | undefined,
  subscriptions: SubscriptionRegistry,
): ChangeSource {
  if (sharedLog === undefined) return ownSource(context.db.url, context.now);
  return new SharedSource(
    context,
    sharedLog,
    subscriptions,
    (item) => item.kind === "change" || item.prefix === clusterBusPrefix,
  );
}

function createServices(
  context: HostContext,
  limits: RealtimeLimits,
  shared: SharedByHosts,
): RealtimeServices {
  const topics = new TopicRegistry(limits, context.now);
  const joinPool = context.db.joins;
  const changeFeed = new ChangeFeed(
    context,
    (known) => changeSourceOf(context, shared.log, known),
    {
      onOpen: () => services.clusterBus.start(),
      onBroadcastRow: (change) => broadcastFromDatabase(topics, change),
      onLogicalMessage: (prefix, content) => {
        if (prefix === clusterBusPrefix) services.clusterBus.receive(content);
      },
    },
  );
  const services: RealtimeServices = {
    databaseFilterQuota: new DatabaseFilterQuota(limits.databaseFilters),
    context,
    changeFeed,
    filterCompiler: new FilterCompiler(joinPool),
    topics,
    tokenVerifier: new TokenVerifier(context),
    joinBytes: new ByteBudget(limits.joinBytes),
    joinPool,
    joinQueue: new FairQueue({
      concurrency: limits.joinConcurrency,
      waiting: limits.joinsWaiting,
      waitingAnon: limits.joinsWaitingAnon,
      waitingPerCaller: limits.joinsWaitingPerCaller,
    }),
    limits,
    writeBatcher: new WriteBatcher(),
    // An embedded database has one host; an external one may have more.
    clusterBus:
      context.config.databaseUrl === undefined
        ? noClusterBus
        : new HostBus(context, topics, limits, new ClusterTransport(context, shared.pubSub)),
    callers: new CallerRegistry(limits, context.now),
    anonSockets: new Set(),
    sendBuffers: new SharedByteLimit({
      limit: limits.allUnsentBytes,
      bytesOf: (connection) => connection.unsentBytes,
      terminate: (connection) => connection.terminate(),
    }),
    receiveBuffers: new SharedByteLimit({
      limit: limits.waitingBytes,
      bytesOf: (connection) => connection.waitingBytes,
      terminate: (connection) => connection.terminate(),
    }),
  };
  return services;
}

/** Postgres changes, broadcast and presence, as in hosted Supabase. See docs/subsystems/realtime.md. */
export function createRealtime(
  context: HostContext,
  changedLimits: Partial<RealtimeLimits> = {},
  shared: SharedByHosts = {},
): Realtime {
  const limits = { ...realtimeDefaults, ...changedLimits };
  const services = createServices(context, limits, shared);
  shared.pubSub?.open();
  const purging = purgeMessages(context, limits.purgeEveryMs);
  const guarding = guardSlots(context, limits);
  const connections = new Set<SocketConnection>();
  let rechecking: Promise<void> | undefined;
  /** One channel after the other, so that rechecks leave the database free for requests. */
  const recheckAll = async () => {
    for (const connection of connections) {
      for (const channel of connection.channels) await channel.recheck();
    }
  };
  const sweeping = setInterval(() => {
    for (const connection of connections) connection.sweep();
    services.clusterBus.sweep();
    services.callers.sweep();
    rechecking ??= recheckAll()
      .catch((error: unknown) =>
        context.log.warn({ err: error }, "permissions could not be checked"),
      )
      .finally(() => (rechecking = undefined));
  }, limits.sweepEveryMs);
  sweeping.unref();
  const sessionListener = listenForEndedSessions(
    context,
    (ended) => {
      for (const connection of connections) {
        for (const channel of connection.channels) {
          if (channel.belongsTo(ended)) channel.closeWith(sessionEndedReason);
        }
      }
    },
    () => {
      for (const connection of connections) {
        for (const channel of connection.channels) channel.invalidateAuthorization();
      }
    },
  );
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frameBytes,
    maxFragments,
    maxBufferedChunks,
    // Compression would cost memory for each socket.
    perMessageDeflate: false,
  });
  const upgradeGate = new UpgradeGate(services);

  const accept = async (request: IncomingMessage, wire: Duplex, head: Buffer) => {
    const admitted = await upgradeGate.admit(request, wire);
    if (admitted === undefined) return;
    server.handleUpgrade(request, wire, head, (webSocket) => {
      const connection = new SocketConnection(services, webSocket, admitted);
      connections.add(connection);
      webSocket.on("close", () => connections.delete(connection));
    });
  };

  return {
    app: createBroadcastRoutes(services),
    upgrade: (request, socket, head) => {
      if (request.url?.split("?")[0] !== websocketPath) return false;
      socket.on("error", () => socket.destroy());
      accept(request, socket, head).catch((error: unknown) => {
        if (isBusy(error)) context.log.warn({ err: error }, "a socket found the database busy");
        else context.log.error({ err: error }, "a socket could not be opened");
        rejectUpgrade(socket, "503 Service Unavailable", "Error connecting to Realtime");
      });
      return true;
    },
    openSockets: () => connections.size,
    hasPeers: () => services.clusterBus.hasPeers(),
    changeFigures: () => services.changeFeed.figures,
    checks: () => realtimeChecks(services.changeFeed.figures, guarding.unconfirmedBytes()),
    stop: async () => {
      for (const connection of connections) connection.goAway();
      const deadline = setTimeout(() => {
        for (const connection of connections) connection.terminate();
      }, closeTimeoutMs);
      server.close();
      purging.stop();
      guarding.stop();
      await sessionListener.stop();
      clearInterval(sweeping);
      await rechecking;
      await services.changeFeed.close();
      await Promise.all(
        [...server.clients].map(async (client) => {
          if (client.readyState === client.CLOSED) return;
          await new Promise((resolve) => client.once("close", resolve));
        }),
      );
      clearTimeout(deadline);
      // Last, after closing the channels has sent their untracks to the other hosts.
      await services.clusterBus.close();
      shared.close?.();
    },
  };
}
