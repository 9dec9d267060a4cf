import type { HostContext } from "../context.ts";
import type { ChangeFeed } from "./changes/change-feed.ts";
import type { Hub } from "./channels/hub.ts";
import type { Identities } from "./identity.ts";
import type { RealtimeLimits } from "./limits.ts";
import type { Outbox } from "./outbox.ts";
import type { Relay } from "./relay.ts";

/** What the parts of realtime share. */
export interface RealtimeParts {
  context: HostContext;
  feed: ChangeFeed;
  hub: Hub;
  identities: Identities;
  limits: RealtimeLimits;
  outbox: Outbox;
  relay: Relay;
}
