import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import type { BackendClient } from "./backend-client.ts";

/** What happened to a row. */
export interface RowChange {
  readonly kind: "INSERT" | "UPDATE" | "DELETE";
  /** The row as it is now; of a deleted one only what identifies it. Check its shape. */
  readonly row: unknown;
}

export interface RowWatch {
  readonly table: string;
  /** Such as `user_id=eq.<id>`; without it every row one may read. */
  readonly filter?: string;
  readonly events: readonly RowChange["kind"][];
  readonly onChange: (change: RowChange) => void;
  /** Called on every (re)subscription. Changes made in between are not delivered. */
  readonly onJoined: () => void;
  /** Called when the subscription is not there, for whatever reason; the library goes on trying. */
  readonly onLost?: () => void;
}

let watches = 0;

/** Watches the rows of a table live; returns how to stop. */
export function watchRows(client: BackendClient, watch: RowWatch): () => void {
  const { table, filter, events, onChange, onJoined, onLost } = watch;
  // A name of its own: the one before may still be on its way out.
  watches += 1;
  const channel = client.channel(`${table}:${watches}`);
  for (const event of events) {
    const scope = { schema: "public", table, ...(filter === undefined ? {} : { filter }) };
    channel.on<Record<string, unknown>>(
      "postgres_changes",
      { event: event as "UPDATE", ...scope },
      (change) => onChange({ kind: event, row: event === "DELETE" ? change.old : change.new }),
    );
  }
  let stopped = false;
  channel.subscribe((status) => {
    if (stopped) return;
    if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) onJoined();
    else onLost?.();
  });
  return () => {
    stopped = true;
    void client.removeChannel(channel);
  };
}
