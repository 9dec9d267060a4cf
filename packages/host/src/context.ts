import type pg from "pg";
import type { Logger } from "pino";
import type { HostConfig } from "./config.ts";
import type { Keys } from "./keys.ts";
import type { Database } from "./postgres/database.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Project } from "./project.ts";

/** What the services of the host share; created once at boot. */
export interface HostContext {
  config: HostConfig;
  /** Public origin of this host, without a trailing slash. */
  publicUrl: string;
  /** Origin this host listens on; the project's functions call it. */
  localUrl: string;
  db: Database;
  /** Connections of the auth service, as `supabase_auth_admin`. */
  authPool: pg.Pool;
  keys: Keys;
  log: Logger;
  mailer: Mailer;
  project: Project;
  /** Milliseconds since the epoch; tests may set it. */
  now: () => number;
}
