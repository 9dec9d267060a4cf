/**
 * `basehost/database`: the PostgreSQL server of an install, for commands and tests that use it without a host. It is
 * the embedded one or that of `DATABASE_URL`.
 */
export { directPools } from "./limits/limit-settings.ts";
export { findBinaries, type PostgresBinaries } from "./postgres/binaries.ts";
export { assertUsable, connectOwner, prepareDatabase } from "./postgres/bootstrap.ts";
export { inTransaction, type Queryable } from "./postgres/database.ts";
export { findEmbeddedPostgres, startEmbeddedPostgres } from "./postgres/embedded.ts";
export { applyMigrations } from "./postgres/migrate.ts";
export { assertNoPool, checkPool } from "./postgres/pooler.ts";
export { compareReplica } from "./postgres/replica-watch.ts";
export {
  FolderInUseError,
  holdFolder,
  openPostgres,
  stopOrphanedDatabase,
} from "./postgres/open-postgres.ts";
export { chooseServerAccount, runAs } from "./postgres/server-account.ts";
export { memorySettings, usableMemoryBytes, type ServerMemory } from "./postgres/server-memory.ts";
export { splitStatements } from "./postgres/split-statements.ts";
export { loadSecrets, readSecrets, resolveSecrets, type InstallSecrets } from "./secrets.ts";
