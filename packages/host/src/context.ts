import type pg from "pg";
import type { Logger } from "pino";
import type { HostConfig } from "./config.ts";
import type { Keys } from "./keys.ts";
import type { Database } from "./postgres/database.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Project } from "./project.ts";

/** Everything a part of the host may use; made once at boot. */
export interface HostContext {
  config: HostConfig;
  /** Origin the outside world reaches this host under, without a trailing slash. */
  publicUrl: string;
  /** Origin this host listens on; what its own functions call. */
  localUrl: string;
  db: Database;
  /** The auth service's own way into Postgres, as `supabase_auth_admin`. */
  authPool: pg.Pool;
  keys: Keys;
  log: Logger;
  mailer: Mailer;
  project: Project;
  /** Milliseconds since the epoch; tests may set it. */
  now: () => number;
}
