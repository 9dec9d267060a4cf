import pg from "pg";
import { BootError } from "../config.ts";
import { roleUrl, type ServiceRole } from "./bootstrap.ts";

const maxConnections = 10;
const idleTimeoutMs = 60_000;
const connectTimeoutMs = 10_000;

/**
 * The way of the auth service into Postgres: as `supabase_auth_admin`, which owns the tables of schema auth and nothing
 * else. Hosted projects use the same role, so a project's trigger that fails there fails here.
 */
export function openAuthPool(url: string, jwtSecret: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: roleUrl(url, jwtSecret, "supabase_auth_admin"),
    max: maxConnections,
    application_name: "host-auth",
    idleTimeoutMillis: idleTimeoutMs,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // A connection lost while idle is replaced by the next request; it must not end the process.
  pool.on("error", () => undefined);
  // One lost in use fails the query that waits on it.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Makes sure that the server lets the host's own roles in.
 * @throws {BootError} naming the role and the server's reason.
 */
export async function assertRolesConnect(url: string, jwtSecret: string): Promise<void> {
  const roles: ServiceRole[] = ["authenticator", "supabase_auth_admin"];
  for (const role of roles) {
    const client = new pg.Client({
      connectionString: roleUrl(url, jwtSecret, role),
      connectionTimeoutMillis: connectTimeoutMs,
    });
    try {
      await client.connect();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BootError(
        `The host cannot connect as ${role}, whose password it sets itself: ${reason}. ` +
          "Allow the roles authenticator and supabase_auth_admin in pg_hba.conf with scram-sha-256, as the login of DATABASE_URL is.",
      );
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
