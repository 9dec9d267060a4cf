import type { Clock } from "@/lib/clock.ts";
import type { Delivery, MessageRow, Outgoing } from "./message.ts";

/** The result of one attempt to send a message. */
export type DeliveryResult =
  /** The server has stored the message, in this or an earlier attempt. */
  | { readonly kind: "saved"; readonly row: MessageRow }
  /** No answer came. The server may or may not have stored the message. */
  | { readonly kind: "unreachable" }
  /** The server rejected it. The reason is null unless it is meant for members. */
  | { readonly kind: "rejected"; readonly reason: string | null };

/** A message that returns to its author, and why. */
export interface RejectedMessage {
  readonly message: Outgoing;
  readonly reason: string | null;
}

export interface OutboxDeps {
  /** Sends one message. Must not throw. A message that is stored already counts as saved. */
  readonly deliver: (message: Outgoing) => Promise<DeliveryResult>;
  readonly isOnline: () => boolean;
  readonly clock: Clock;
}

export interface OutboxEntry {
  readonly message: Outgoing;
  readonly delivery: Exclude<Delivery, "saved">;
}

export interface OutboxState {
  /** Messages that are not saved yet, in the order they were written. */
  readonly entries: readonly OutboxEntry[];
  /** Rejected messages that their room has not taken back yet. */
  readonly rejected: readonly RejectedMessage[];
}

export interface Outbox {
  readonly getState: () => OutboxState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Sends a message, or queues it while offline. */
  readonly submit: (message: Outgoing) => void;
  /** Sends queued messages. Call it when the network is back. */
  readonly resume: () => void;
  /** Returns the rejected messages of a room and removes them. */
  readonly takeRejected: (roomId: string) => readonly RejectedMessage[];
  /** Calls the listener with every saved message, before it leaves the entries. */
  readonly onSaved: (listener: (message: Outgoing, row: MessageRow) => void) => () => void;
  /** Removes everything. Call it when the session ends. */
  readonly clear: () => void;
}

/** Delays between attempts while the browser is online and the server does not answer. */
const retryDelaysMs = [1000, 2000, 5000, 10_000] as const;

/**
 * Sends messages one after the other, each exactly once. The outbox lives outside the room, so that
 * queued messages are also sent from other pages. A message that fails while online returns to its
 * author. A message written offline is retried.
 */
export function createOutbox({ deliver, isOnline, clock }: OutboxDeps): Outbox {
  let state: OutboxState = { entries: [], rejected: [] };
  let running = false;
  let failures = 0;
  let cancelRetry = () => {};
  const listeners = new Set<() => void>();
  const savedListeners = new Set<(message: Outgoing, row: MessageRow) => void>();
  // Ids of messages that waited for the network. They are retried when no answer comes.
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
        // The outbox may have been cleared meanwhile.
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
