import type pg from "pg";
import type { HostContext } from "../../context.ts";
import type { DatabaseFilterQuota } from "../postgres-changes/database-filter-quota.ts";
import type { ChangeFeed } from "../postgres-changes/change-feed.ts";
import type { FilterCompiler } from "../postgres-changes/filter-compiler.ts";
import type { TopicRegistry } from "../channels/topic-registry.ts";
import type { SocketConnection } from "../socket/socket-connection.ts";
import type { ByteBudget } from "../limits/byte-budget.ts";
import type { FairQueue } from "../limits/fair-queue.ts";
import type { TokenVerifier } from "../authorization/token-verifier.ts";
import type { RealtimeLimits } from "../limits/realtime-limits.ts";
import type { WriteBatcher } from "../socket/write-batcher.ts";
import type { ClusterBus } from "./cluster-bus.ts";
import type { CallerRegistry } from "../limits/caller-registry.ts";
import type { SharedByteLimit } from "../limits/shared-byte-limit.ts";

/** What the services of realtime share. */
export interface RealtimeServices {
  databaseFilterQuota: DatabaseFilterQuota;
  context: HostContext;
  changeFeed: ChangeFeed;
  filterCompiler: FilterCompiler;
  topics: TopicRegistry;
  tokenVerifier: TokenVerifier;
  /** What joined channels hold over all sockets. */
  joinBytes: ByteBudget;
  /** Connections for whatever callers make realtime ask. */
  joinPool: pg.Pool;
  /** Turns at `joinPool`. */
  joinQueue: FairQueue;
  limits: RealtimeLimits;
  writeBatcher: WriteBatcher;
  clusterBus: ClusterBus;
  callers: CallerRegistry;
  /** Sockets on which no account has joined anything yet, the oldest first. */
  anonSockets: Set<SocketConnection>;
  /** What waits for readers that are behind. */
  sendBuffers: SharedByteLimit<SocketConnection>;
  /** Messages that are arriving or wait for those before them. */
  receiveBuffers: SharedByteLimit<SocketConnection>;
}
