/**
 * `basehost/testing`: parts of the host for tests that need one of them without the rest, or over a raw socket. It is
 * not in the published package and follows the code without notice.
 */
export { openBaseBackup } from "../backup/base-backup.ts";
export { extractTar } from "../backup/tar-streams.ts";
export { startSchedules } from "../functions/schedules.ts";
export { defaultLimits } from "../limits/limits.ts";
export { hostSqlFolder, rolePassword } from "../postgres/bootstrap.ts";
export { TokenVerifier } from "../realtime/channel-authorization/token-verifier.ts";
export { realtimeDefaults } from "../realtime/limits/realtime-limits.ts";
export { PolicyAuthorizers } from "../realtime/postgres-changes/policy-authorizers.ts";
export { createRealtime, type SharedByHosts } from "../realtime/server/realtime.ts";
export { createStaticApp } from "../static/app.ts";
export type { BlobStore } from "../storage/blob-store.ts";
export { openDiskBlobStore } from "../storage/disk-blob-store.ts";
export { copyFiles } from "../storage/move-files.ts";
export { openBlobStore } from "../storage/open-blob-store.ts";
export { removeOrphanedBlobs, sweepOrphanedBlobs } from "../storage/orphaned-blobs.ts";
export { StagingArea } from "../storage/staging-area.ts";
export { DecodeQueue } from "../storage/image-decoder.ts";
export type { StorageServices } from "../storage/storage-services.ts";
export { RedisLog } from "../realtime/shared-log/redis-log.ts";
export {
  seatMs,
  SeatLostError,
  type LogState,
  type SharedLog,
} from "../realtime/shared-log/shared-log.ts";
export { RequestLimiter } from "../limits/request-limiter.ts";
export { UsageExchange } from "../limits/usage-exchange.ts";
export type { PubSub } from "../redis/pub-sub.ts";
export { prefixOf } from "../redis/redis-access.ts";
export { RedisPubSub } from "../redis/redis-pub-sub.ts";
export { MemoryLog } from "./memory-log.ts";
export { MemoryPubSub, type MemoryConnection } from "./memory-pub-sub.ts";
export { openRaw, rawStatus, type RawClient } from "./raw-client.ts";
export { tinyMp4, tinyWebm } from "./tiny-films.ts";
