import { randomUUID } from "node:crypto";
import {
  REALTIME_SUBSCRIBE_STATES,
  createClient,
  type RealtimeChannel,
  type RealtimePostgresChangesPayload,
  type SupabaseClient,
} from "@supabase/supabase-js";
import type { RunningHost } from "../../support/running.ts";
import { signToken } from "../rest/callers.ts";
import { hostOfFile } from "./own-host.ts";

type Row = Record<string, unknown>;
export type Payload = RealtimePostgresChangesPayload<Row>;

/** An account's token, and the official client that uses it. */
export interface RealtimeUser {
  id: string;
  client: SupabaseClient;
  /** Gets a new token with these additional claims and sends it to the server. */
  refreshWith: (claims: Record<string, unknown>) => Promise<void>;
}

const open = new Set<SupabaseClient>();

/** Closes every socket that was opened here; call it after each test. */
export async function closeListeners(): Promise<void> {
  await Promise.all([...open].map(async (client) => await client.removeAllChannels()));
  open.clear();
}

export function track(client: SupabaseClient): SupabaseClient {
  open.add(client);
  return client;
}

/** A signed-in member whose token the test controls. */
export function listener(
  claims: Record<string, unknown> = {},
  host: RunningHost = hostOfFile(),
  realtime: NonNullable<Parameters<typeof createClient>[2]>["realtime"] = {},
): RealtimeUser {
  const id = randomUUID();
  const current = { claims };
  const client = track(
    createClient(host.url, host.anonKey, {
      accessToken: async () =>
        await signToken(
          { sub: id, role: "authenticated", aud: "authenticated", ...current.claims },
          host.jwtSecret,
        ),
      realtime,
    }),
  );
  return {
    id,
    client,
    refreshWith: async (next) => {
      current.claims = next;
      await client.realtime.setAuth();
    },
  };
}

/** A client without an account. */
export function visitor(): SupabaseClient {
  const { url, anonKey } = hostOfFile();
  return track(createClient(url, anonKey));
}

/** Joins a channel and resolves when it is subscribed. */
export async function joined(channel: RealtimeChannel): Promise<RealtimeChannel> {
  // Without this the join may be sent before the client has read the token.
  await channel.socket.setAuth();
  return await new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve(channel);
      else reject(error ?? new Error(status));
    });
  });
}

/** Collected items, and a way to wait for more. */
export class Arrivals<T> {
  readonly items: T[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly add = (item: T): void => {
    this.items.push(item);
    for (const wake of this.#waiting.splice(0)) wake();
  };

  /** Resolves with everything so far once there are `count`; the test's timeout is the limit. */
  async until(count: number): Promise<T[]> {
    while (this.items.length < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.items;
  }
}

/** Subscribes to changes of one table and collects them. */
export async function changesOf(
  client: SupabaseClient,
  filter: { table: string; event?: "*"; schema?: string; filter?: string; select?: string[] },
  topic = randomUUID(),
): Promise<{ channel: RealtimeChannel; arrivals: Arrivals<Payload> }> {
  const arrivals = new Arrivals<Payload>();
  const channel = client
    .channel(topic)
    .on("postgres_changes", { event: "*", schema: "public", ...filter }, arrivals.add);
  await joined(channel);
  return { channel, arrivals };
}

/** Subscribes to a table and counts the subscriptions, since each new one means a gap. */
export function follow(member: RealtimeUser, table: string) {
  const statuses = new Arrivals<string>();
  const arrivals = new Arrivals<Payload>();
  member.client
    .channel(randomUUID())
    .on("postgres_changes", { event: "*", schema: "public", table }, arrivals.add)
    .subscribe((status) => statuses.add(status));
  const subscribed = async (times: number) => {
    const count = () => statuses.items.filter((status) => status === "SUBSCRIBED").length;
    while (count() < times) await statuses.until(statuses.items.length + 1);
  };
  return { arrivals, statuses, subscribed };
}
