import type pg from "pg";

/** What can run a statement: a pool or one of its clients. */
export type Queryable = Pick<pg.ClientBase, "query">;

/** Where a connection comes from: a pool, or a pool limited per user. */
export interface ConnectionSource {
  /** @throws {DatabaseBusyError} when none was free in time */
  connect: () => Promise<pg.PoolClient>;
}
