// Type of the services that `realtime.ts` creates once and passes to every part of Realtime.

import type pg from "pg";
import type { HostContext } from "../../context.ts";
import type { DatabaseFilterQuota } from "../postgres-changes/database-filter-quota.ts";
import type { ChangeFeed } from "../postgres-changes/change-feed.ts";
import type { FilterCompiler } from "../postgres-changes/filter-compiler.ts";
import type { TopicRegistry } from "../channels/topic-registry.ts";
import type { OpenSocket } from "../socket/open-socket.ts";
import type { ByteBudget } from "../limits/byte-budget.ts";
import type { FairQueue } from "../limits/fair-queue.ts";
import type { TokenVerifier } from "../channel-authorization/token-verifier.ts";
import type { RealtimeLimits } from "../limits/realtime-limits.ts";
import type { WriteBatcher } from "../socket/write-batcher.ts";
import type { ClusterBus } from "./cluster-bus.ts";
import type { CallerRegistry } from "../limits/caller-registry.ts";
import type { SharedByteLimit } from "../limits/shared-byte-limit.ts";

/** What the parts of Realtime share. */
export interface RealtimeServices {
  databaseFilterQuota: DatabaseFilterQuota;
  context: HostContext;
  changeFeed: ChangeFeed;
  filterCompiler: FilterCompiler;
  topics: TopicRegistry;
  tokenVerifier: TokenVerifier;
  /** Memory of joined channels over all sockets. */
  joinBytes: ByteBudget;
  /** Connections for queries that clients cause by joining. */
  joinPool: pg.Pool;
  /** Queue for `joinPool`. */
  joinQueue: FairQueue;
  limits: RealtimeLimits;
  writeBatcher: WriteBatcher;
  clusterBus: ClusterBus;
  callers: CallerRegistry;
  /** Sockets on which no account has joined a channel yet, oldest first. */
  anonSockets: Set<OpenSocket>;
  /** Frames not yet sent to slow clients. */
  sendBuffers: SharedByteLimit<OpenSocket>;
  /** Messages that are incomplete or queued. */
  receiveBuffers: SharedByteLimit<OpenSocket>;
}
