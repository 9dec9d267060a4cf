// Parses the payload of `phx_join`, which holds the options given to `supabase.channel()`.

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { maxPresenceKeyLength } from "../limits/realtime-limits.ts";

const looseBoolean = z.preprocess((value) => value === true || value === "true", z.boolean());
const section = <T extends z.ZodRawShape>(shape: T) =>
  z.preprocess(
    (value) => (typeof value === "object" && value !== null ? value : {}),
    z.object(shape),
  );

const request = z.object({
  access_token: z.string().optional().catch(undefined),
  user_token: z.string().optional().catch(undefined),
  config: section({
    private: looseBoolean,
    broadcast: section({
      ack: looseBoolean,
      self: looseBoolean,
      replication_ready: looseBoolean,
      replay: z.object({ since: z.number(), limit: z.number().optional() }).optional(),
    }),
    presence: section({ key: z.string().catch(""), enabled: looseBoolean }),
    postgres_changes: z.preprocess(
      (value) => (Array.isArray(value) ? value.filter((one) => one !== null) : []),
      z.array(z.record(z.string(), z.unknown())).max(100),
    ),
    postgres_changes_options: section({ wait: looseBoolean }),
  }),
});

/** The options of a join. */
export interface JoinRequest {
  token: string | undefined;
  isPrivate: boolean;
  sendsAck: boolean;
  receivesOwnBroadcasts: boolean;
  reportsReplicationReady: boolean;
  replay: { since: number; limit: number } | undefined;
  presenceKey: string;
  receivesPresence: boolean;
  changes: readonly Readonly<Record<string, unknown>>[];
  /** True when the reply must report whether the subscriptions succeeded. */
  waitsForSubscriptions: boolean;
}

/** A join request and the bytes to reserve for the channel. */
export interface JoinOptions extends JoinRequest {
  reservedBytes: number;
}

/** Undefined when the payload is not valid. */
export function parseJoinRequest(
  payload: Readonly<Record<string, unknown>>,
): JoinRequest | undefined {
  const { data } = request.safeParse(payload);
  if (data === undefined) return undefined;
  const { config } = data;
  if (config.presence.key.length > maxPresenceKeyLength) return undefined;
  const { broadcast, presence } = config;
  return {
    token: data.user_token ?? data.access_token,
    isPrivate: config.private,
    sendsAck: broadcast.ack,
    receivesOwnBroadcasts: broadcast.self,
    reportsReplicationReady: broadcast.replication_ready,
    replay: broadcast.replay && {
      since: broadcast.replay.since,
      limit: Math.min(Math.max(broadcast.replay.limit ?? 25, 1), 25),
    },
    presenceKey: presence.key || randomUUID(),
    receivesPresence: presence.enabled,
    changes: config.postgres_changes,
    waitsForSubscriptions: config.postgres_changes_options.wait,
  };
}
