import pg from "pg";
import type { Logger } from "pino";
import type { Queryable } from "../../postgres/database.ts";
import { toBusyError } from "../limits/busy-errors.ts";
import type { SubscriberIdentity } from "./subscriber-identity.ts";

/** What a private channel's policies allow. */
export interface TopicPermissions {
  broadcastRead: boolean;
  presenceRead: boolean;
  broadcastWrite: boolean;
  presenceWrite: boolean;
}

/** A public channel allows everything to whoever holds a key. */
export const allPermissions: TopicPermissions = {
  broadcastRead: true,
  presenceRead: true,
  broadcastWrite: true,
  presenceWrite: true,
};

const noPermissions: TopicPermissions = {
  broadcastRead: false,
  presenceRead: false,
  broadcastWrite: false,
  presenceWrite: false,
};

/**
 * Asks the policies on realtime.messages what the identity may do on a topic; a policy that raises allows nothing.
 * @throws {DatabaseBusyError} when they took too long
 */
export async function queryPermissions(
  { db, log }: { db: Queryable; log: Logger },
  topic: string,
  identity: SubscriberIdentity,
): Promise<TopicPermissions> {
  try {
    const { rows } = await db.query<TopicPermissions>({
      name: "realtime-permissions",
      text: `select broadcast_read as "broadcastRead", presence_read as "presenceRead",
          broadcast_write as "broadcastWrite", presence_write as "presenceWrite"
        from host.realtime_permissions($1, $2, $3, '{}')`,
      values: [topic, identity.role, identity.claims],
    });
    return rows[0] ?? noPermissions;
  } catch (caught) {
    const error = toBusyError(caught);
    // Only what a policy raises is an answer; a database that cannot be asked is not.
    if (!(error instanceof pg.DatabaseError) || error.severity === "FATAL") throw error;
    log.warn({ err: error, topic }, "the policies of a private channel could not be asked");
    return noPermissions;
  }
}
