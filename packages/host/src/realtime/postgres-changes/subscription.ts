import type { SubscriberIdentity } from "../channel-authorization/subscriber-identity.ts";
import type { Frame, ProtocolVersion } from "../socket/frames.ts";
import type { CompiledFilter } from "./compiled-filter.ts";

/** Receives changes: one joined channel of one socket. */
export interface Subscriber {
  /** The identity row-level security is evaluated for. A refreshed token replaces it. */
  readonly identity: SubscriberIdentity;
  /** Topic as clients write it, with `realtime:` before it. */
  readonly fullTopic: string;
  readonly version: ProtocolVersion;
  send: (frame: Frame) => void;
  /** Called when changes may have been missed, so that the client joins again and reads them. */
  interrupt: () => void;
  /** Called when one of its filters timed out and is suspended for a while. */
  onFilterSuspended: () => void;
}

/** One `postgres_changes` entry of a channel. */
export interface ChangesSubscription {
  /** The same for the same parameters, so that subscribers can share frames. */
  id: number;
  subscriber: Subscriber;
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  schema: string;
  table: string;
  filter: CompiledFilter | undefined;
  /** Columns to send besides the key; all when undefined. */
  select: ReadonlySet<string> | undefined;
  /** Key of the column selection. */
  view: string;
  /** Since when the host that decodes for all knows it, and with which identity. */
  announced?: { version: number; identity: SubscriberIdentity } | undefined;
}
