/** What a test tells the app over the invented socket. */
export interface FakeRealtime {
  /** The transport for the official client. */
  readonly transport: typeof WebSocket;
  /** Tells every watcher of the table of a changed row; filters are taken to fit. */
  readonly change: (kind: "INSERT" | "UPDATE" | "DELETE", table: string, row: object) => void;
  /** Sends on a private channel, as the database does. */
  readonly broadcast: (channel: string, event: string, payload: object) => void;
  /** How many watches of the table stand now. */
  readonly watchers: (table: string) => number;
}

interface Watch {
  readonly socket: FakeRealtimeSocket;
  readonly topic: string;
  readonly joinRef: string | null;
  readonly bindings: readonly {
    readonly id: number;
    readonly event: string;
    readonly table: string;
  }[];
}

type Frame = readonly [string | null, string | null, string, string, Record<string, unknown>];

/** Opens at once and answers every join as the realtime server does, in protocol 2.0.0. */
class FakeRealtimeSocket extends EventTarget {
  readyState = 0;
  binaryType = "arraybuffer";
  onopen: ((event: Event) => void) | null = null;
  onclose: ((event: Event) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  readonly watches: Map<string, Watch>;

  constructor(watches: Map<string, Watch>) {
    super();
    this.watches = watches;
    queueMicrotask(() => {
      this.readyState = 1;
      this.onopen?.(new Event("open"));
    });
  }

  say(frame: Frame): void {
    queueMicrotask(() =>
      this.onmessage?.(new MessageEvent("message", { data: JSON.stringify(frame) })),
    );
  }

  send(text: unknown): void {
    if (typeof text !== "string") return;
    const [joinRef, ref, topic, event, payload] = JSON.parse(text) as Frame;
    const config = payload["config"] as
      { postgres_changes?: readonly { event: string; table: string }[] } | undefined;
    const bindings = (config?.postgres_changes ?? []).map((each, index) => ({
      ...each,
      id: index + 1,
    }));
    if (event === "phx_join") this.watches.set(topic, { socket: this, topic, joinRef, bindings });
    if (event === "phx_leave") this.watches.delete(topic);
    const response = event === "phx_join" ? { postgres_changes: bindings } : {};
    this.say([joinRef, ref, topic, "phx_reply", { status: "ok", response }]);
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.(new Event("close"));
  }
}

/** A realtime server for one test. */
export function createFakeRealtime(): FakeRealtime {
  const watches = new Map<string, Watch>();
  return {
    transport: FakeRealtimeSocket.bind(null, watches) as unknown as typeof WebSocket,
    change: (kind, table, row) => {
      for (const { socket, topic, joinRef, bindings } of watches.values()) {
        const ids = bindings.filter((each) => each.table === table && each.event === kind);
        if (ids.length === 0) continue;
        const data = {
          type: kind,
          schema: "public",
          table,
          commit_timestamp: new Date().toISOString(),
          columns: [],
          errors: null,
          ...(kind === "DELETE" ? { old_record: row } : { record: row }),
        };
        socket.say([
          joinRef,
          null,
          topic,
          "postgres_changes",
          { ids: ids.map(({ id }) => id), data },
        ]);
      }
    },
    broadcast: (channel, event, payload) => {
      for (const { socket, topic, joinRef } of watches.values()) {
        if (topic !== `realtime:${channel}`) continue;
        socket.say([joinRef, null, topic, "broadcast", { type: "broadcast", event, payload }]);
      }
    },
    watchers: (table) =>
      [...watches.values()].filter(({ bindings }) => bindings.some((each) => each.table === table))
        .length,
  };
}
