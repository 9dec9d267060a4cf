import pg from "pg";
import { running } from "./running-product.ts";

/** One for each product that a worker's tests have used: a connection costs more than what is asked over it. */
const pools = new Map<string, pg.Pool>();

/** Connections of this process as the owner of the product's database. */
export function poolOfOwner(): pg.Pool {
  const { databaseUrl } = running().host;
  const known = pools.get(databaseUrl);
  if (known) return known;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 3, allowExitOnIdle: true });
  // A product of a test's own ends, and with it the connections that wait.
  pool.on("error", () => {});
  pools.set(databaseUrl, pool);
  return pool;
}

/** Runs one statement as the owner of the database, for what no member may do. */
export async function runAsOwner(sql: string, values: unknown[]): Promise<pg.QueryResultRow[]> {
  return (await poolOfOwner().query<pg.QueryResultRow>(sql, values)).rows;
}
