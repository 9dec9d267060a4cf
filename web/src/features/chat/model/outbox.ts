import type { Clock } from "@/lib/clock.ts";
import type { Delivery, MessageRow, Outgoing } from "./message.ts";

/** What became of one attempt. */
export type DeliveryResult =
  /** The server has it, from this attempt or from an earlier one. */
  | { readonly kind: "saved"; readonly row: MessageRow }
  /** No answer came; the server may or may not have it. */
  | { readonly kind: "unreachable" }
  /** The server said no; its reason when it is meant for people. */
  | { readonly kind: "rejected"; readonly reason: string | null };

/** What came back to its writer, and why. */
export interface RejectedMessage {
  readonly message: Outgoing;
  readonly reason: string | null;
}

export interface OutboxDeps {
  /** Brings one message to the server; must not throw. A message that is there already is saved. */
  readonly deliver: (message: Outgoing) => Promise<DeliveryResult>;
  readonly isOnline: () => boolean;
  readonly clock: Clock;
}

export interface OutboxEntry {
  readonly message: Outgoing;
  readonly delivery: Exclude<Delivery, "saved">;
}

export interface OutboxState {
  /** What is on its way, in the order it was written. */
  readonly entries: readonly OutboxEntry[];
  /** What came back and waits for its writer. */
  readonly rejected: readonly RejectedMessage[];
}

export interface Outbox {
  readonly getState: () => OutboxState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Takes a message: sends it now, or keeps it while there is no network. */
  readonly submit: (message: Outgoing) => void;
  /** Sends what waits; to be called when the network is back. */
  readonly resume: () => void;
  /** Hands the words that came back to their room, once. */
  readonly takeRejected: (roomId: string) => readonly RejectedMessage[];
  /** Told of every message the server has taken, before it leaves the entries. */
  readonly onSaved: (listener: (message: Outgoing, row: MessageRow) => void) => () => void;
  /** Forgets everything, when somebody else signs in. */
  readonly clear: () => void;
}

/** Milliseconds between attempts while the browser believes in its network and the server is silent. */
const retryDelaysMs = [1000, 2000, 5000, 10_000] as const;

/**
 * Sends messages one after the other, each exactly once. It lives in memory, outside the room, so
 * that what was written offline also goes out from another page. A direct attempt that fails comes
 * back to its writer; what was written without a network waits and is tried again.
 */
export function createOutbox({ deliver, isOnline, clock }: OutboxDeps): Outbox {
  let state: OutboxState = { entries: [], rejected: [] };
  let running = false;
  let failures = 0;
  let cancelRetry = () => {};
  const listeners = new Set<() => void>();
  const savedListeners = new Set<(message: Outgoing, row: MessageRow) => void>();
  /* Those that waited for the network; they are not given up for want of an answer. */
  const keepRetrying = new Set<string>();

  function set(next: OutboxState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function mark(id: string, delivery: OutboxEntry["delivery"]): void {
    set({
      ...state,
      entries: state.entries.map((entry) =>
        entry.message.id === id ? { ...entry, delivery } : entry,
      ),
    });
  }

  function finish({ id }: Outgoing, rejected: readonly RejectedMessage[]): void {
    keepRetrying.delete(id);
    set({
      entries: state.entries.filter((entry) => entry.message.id !== id),
      rejected: [...state.rejected, ...rejected],
    });
  }

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    cancelRetry();
    try {
      for (let entry = state.entries[0]; entry && isOnline(); entry = state.entries[0]) {
        const { message } = entry;
        mark(message.id, "sending");
        const attempt = await deliver(message);
        /* It may have been thrown away meanwhile. */
        if (!state.entries.some((each) => each.message.id === message.id)) continue;
        if (attempt.kind === "unreachable" && (keepRetrying.has(message.id) || !isOnline())) {
          keepRetrying.add(message.id);
          mark(message.id, "queued");
          tryLater();
          return;
        }
        failures = 0;
        if (attempt.kind === "saved") {
          for (const listener of savedListeners) listener(message, attempt.row);
        }
        const reason = attempt.kind === "rejected" ? attempt.reason : null;
        finish(message, attempt.kind === "saved" ? [] : [{ message, reason }]);
      }
    } finally {
      running = false;
    }
    for (const { message } of state.entries) keepRetrying.add(message.id);
  }

  function tryLater(): void {
    const wait = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)] ?? 10_000;
    failures += 1;
    cancelRetry = clock.after(wait, () => void run());
  }

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    submit: (message) => {
      if (!isOnline()) keepRetrying.add(message.id);
      set({ ...state, entries: [...state.entries, { message, delivery: "queued" }] });
      void run();
    },
    resume: () => {
      failures = 0;
      void run();
    },
    onSaved: (listener) => {
      savedListeners.add(listener);
      return () => savedListeners.delete(listener);
    },
    takeRejected: (roomId) => {
      const taken = state.rejected.filter(({ message }) => message.roomId === roomId);
      if (taken.length > 0) {
        set({
          ...state,
          rejected: state.rejected.filter(({ message }) => message.roomId !== roomId),
        });
      }
      return taken;
    },
    clear: () => {
      cancelRetry();
      keepRetrying.clear();
      set({ entries: [], rejected: [] });
    },
  };
}
