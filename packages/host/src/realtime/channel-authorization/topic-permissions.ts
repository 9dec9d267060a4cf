// Asks the row-level security policies on `realtime.messages` what a caller may do on a private channel.

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

/** A public channel allows everything. */
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
 * Evaluates the policies on realtime.messages for a topic. A policy that raises allows nothing.
 * @throws {DatabaseBusyError} when they time out
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
    // Only an error raised by a policy is a result; a failed connection is not.
    if (!(error instanceof pg.DatabaseError) || error.severity === "FATAL") throw error;
    log.warn({ err: error, topic }, "the policies of a private channel failed");
    return noPermissions;
  }
}
