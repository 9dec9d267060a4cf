import type pg from "pg";
import type { HostContext } from "../context.ts";
import type { AskedFilters } from "./changes/asked-filters.ts";
import type { ChangeFeed } from "./changes/change-feed.ts";
import type { FilterTrials } from "./changes/filter-trials.ts";
import type { Hub } from "./channels/hub.ts";
import type { Connection } from "./connection.ts";
import type { ByteBudget } from "./byte-budget.ts";
import type { FairQueue } from "./fair-queue.ts";
import type { Identities } from "./identity.ts";
import type { RealtimeLimits } from "./limits.ts";
import type { Outbox } from "./outbox.ts";
import type { Relay } from "./relay.ts";
import type { Senders } from "./senders.ts";
import type { SharedBytes } from "./shared-bytes.ts";

/** What the parts of realtime share. */
export interface RealtimeParts {
  askedFilters: AskedFilters;
  context: HostContext;
  feed: ChangeFeed;
  filterTrials: FilterTrials;
  hub: Hub;
  identities: Identities;
  /** What joined channels hold over all sockets. */
  joinBytes: ByteBudget;
  /** Connections for whatever callers make realtime ask. */
  joinPool: pg.Pool;
  /** Turns at `joinPool`. */
  joinQueue: FairQueue;
  limits: RealtimeLimits;
  outbox: Outbox;
  relay: Relay;
  senders: Senders;
  /** Sockets on which no account has joined anything yet, the oldest first. */
  strangers: Set<Connection>;
  /** What waits for readers that are behind. */
  unsent: SharedBytes<Connection>;
  /** Messages that are arriving or wait for those before them. */
  waiting: SharedBytes<Connection>;
}
