import type { Clock } from "@/lib/clock.ts";
import type { ConversationSource } from "./conversation-source.ts";
import type { ConversationStore } from "./conversation-store.ts";
import type { ChatMessage } from "./message.ts";

const syncRetryDelayMs = 2000;

export interface MissedMessages {
  /** Fetches changes since the latest known one. A call during a fetch causes one more fetch. */
  readonly sync: () => Promise<void>;
  /** Cancels the retry that is scheduled after a failed fetch. */
  readonly cancel: () => void;
}

/**
 * Catches up with changes that the live subscription did not deliver.
 * @param openNewest opens the room again when there are too many changes to fetch
 */
export function createMissedMessages(
  store: ConversationStore,
  source: ConversationSource,
  openNewest: () => Promise<void>,
  clock: Clock,
): MissedMessages {
  let running: Promise<void> | null = null;
  let runAgain = false;
  let cancelRetry = () => {};

  async function fetchOnce(): Promise<void> {
    const { phase, list } = store.getState();
    if (phase !== "ready") return;
    const isCurrentVisit = store.trackVisit();
    const since = latestChange(list.messages);
    const rows = since === "" ? null : await source.readChanges(since);
    if (!isCurrentVisit()) return;
    if (rows) store.change({ kind: "arrived", rows });
    else if (!store.getState().list.hasNewer) await openNewest();
  }

  async function run(): Promise<void> {
    const isCurrentVisit = store.trackVisit();
    try {
      do {
        runAgain = false;
        await fetchOnce();
      } while (runAgain);
    } catch (error) {
      console.error("Missed messages could not be fetched", error);
      if (isCurrentVisit()) cancelRetry = clock.after(syncRetryDelayMs, () => void sync());
    } finally {
      running = null;
    }
  }

  function sync(): Promise<void> {
    if (running) {
      runAgain = true;
      return running;
    }
    cancelRetry();
    running = run();
    return running;
  }

  return { sync, cancel: () => cancelRetry() };
}

/** The server's time of the latest change in the list, empty for an empty list. */
function latestChange(messages: readonly ChatMessage[]): string {
  let latest = messages[0];
  for (const message of messages) {
    if (latest && message.changedAt > latest.changedAt) latest = message;
  }
  return latest?.changedAtRaw ?? "";
}
