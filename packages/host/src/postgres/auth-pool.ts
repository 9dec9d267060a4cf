// Connection pool of the auth service, and the check that the server lets the host's own roles log in.

import pg from "pg";
import { BootError } from "../boot-error.ts";
import type { DatabaseLimits } from "../limits/limits.ts";
import { roleUrl, type ServiceRole } from "./bootstrap.ts";
import { BoundedPool } from "./bounded-pool.ts";
import type { DatabaseAddresses } from "./database.ts";

const connectTimeoutMs = 10_000;

/**
 * Opens the auth service's pool as `supabase_auth_admin`, which owns the tables of schema auth and nothing else. Hosted
 * projects use the same role, so a project's trigger that fails there fails here, too.
 */
export function openAuthPool(
  { requestUrl, keepsStatements }: Pick<DatabaseAddresses, "requestUrl" | "keepsStatements">,
  dataKey: string,
  limits: DatabaseLimits,
): pg.Pool {
  return new BoundedPool(roleUrl(requestUrl, dataKey, "supabase_auth_admin"), {
    keepsStatements,
    name: "host-auth",
    connections: limits.connections.auth,
    waiting: limits.maxQueued,
    longestWaitMs: limits.maxWaitMs,
  });
}

/**
 * Checks that the server, or the pool in front of it, accepts connections from the host's own roles.
 * @throws {BootError} naming the role and the server's reason.
 */
export async function assertRolesConnect(
  url: string,
  dataKey: string,
  isPool = false,
): Promise<void> {
  const roles: ServiceRole[] = ["authenticator", "supabase_auth_admin"];
  for (const role of roles) {
    const client = new pg.Client({
      connectionString: roleUrl(url, dataKey, role),
      connectionTimeoutMillis: connectTimeoutMs,
    });
    try {
      await client.connect();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BootError(
        isPool
          ? `The pool of DATABASE_URL refuses the role ${role}, whose password the host sets itself: ${reason}. ` +
              "Let the pool look passwords up in the server (auth_query of PgBouncer), or give it those of authenticator and supabase_auth_admin."
          : `The host cannot connect as ${role}, whose password it sets itself: ${reason}. ` +
              "Allow the roles authenticator and supabase_auth_admin in pg_hba.conf with scram-sha-256, as the login of DATABASE_URL is.",
      );
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
