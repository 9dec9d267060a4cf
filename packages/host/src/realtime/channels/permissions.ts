import pg from "pg";
import type { Logger } from "pino";
import type { Queryable } from "../../postgres/database.ts";
import { busyOrItself } from "../busy.ts";
import type { SubscriberIdentity } from "../changes/sight-sql.ts";

/** What a private channel's policies allow. */
export interface Permissions {
  broadcastRead: boolean;
  presenceRead: boolean;
  broadcastWrite: boolean;
  presenceWrite: boolean;
}

/** A public channel allows everything to whoever holds a key. */
export const EVERYTHING: Permissions = {
  broadcastRead: true,
  presenceRead: true,
  broadcastWrite: true,
  presenceWrite: true,
};

const NOTHING: Permissions = {
  broadcastRead: false,
  presenceRead: false,
  broadcastWrite: false,
  presenceWrite: false,
};

/**
 * Asks the policies on realtime.messages what the viewer may do on a topic; a policy that raises allows nothing.
 * @throws {DatabaseBusyError} when they took too long
 */
export async function askPermissions(
  { db, log }: { db: Queryable; log: Logger },
  topic: string,
  viewer: SubscriberIdentity,
): Promise<Permissions> {
  try {
    const { rows } = await db.query<Permissions>({
      name: "realtime-permissions",
      text: `select broadcast_read as "broadcastRead", presence_read as "presenceRead",
          broadcast_write as "broadcastWrite", presence_write as "presenceWrite"
        from host.realtime_permissions($1, $2, $3, '{}')`,
      values: [topic, viewer.role, viewer.claims],
    });
    return rows[0] ?? NOTHING;
  } catch (caught) {
    const error = busyOrItself(caught);
    // Only what a policy raises is an answer; a database that cannot be asked is not.
    if (!(error instanceof pg.DatabaseError) || error.severity === "FATAL") throw error;
    log.warn({ err: error, topic }, "the policies of a private channel could not be asked");
    return NOTHING;
  }
}
