// Reads the shared log as if it were the write-ahead log.

import { setTimeout as wait } from "node:timers/promises";
import type { WalStream } from "../postgres-changes/replication-slot.ts";
import type { WalStreamListener } from "../postgres-changes/wal-stream.ts";
import { EntryReader } from "./log-entries.ts";
import type { LogState, SharedLog } from "./shared-log.ts";

/** How long a decoder may take to begin, after the first start of a database or of all its hosts. */
const beginTimeoutMs = 20_000;
const beginPollMs = 50;
const retryMs = 200;
/** After this time without an answer the store counts as lost. */
const giveUpMs = 5_000;
/** The same without a host that decodes. A seat that was lost is taken sooner. */
const undecodedMs = 20_000;

/** The shared log can't be followed: this host reads the write-ahead log itself. */
export class LogUnavailableError extends Error {
  override readonly name = "LogUnavailableError";
}

/**
 * The state of a run that is decoded. One that is not may be replaced at any moment, and those who had joined would be told
 * of a gap: so it goes after all hosts have restarted, when what they shared before is still in the store.
 * @throws {LogUnavailableError}
 */
async function stateWithin(log: SharedLog, isOpen: () => boolean): Promise<LogState> {
  const until = performance.now() + beginTimeoutMs;
  while (isOpen()) {
    const state = await log.state().catch((error: unknown) => {
      throw new LogUnavailableError("The shared log can't be reached.", { cause: error });
    });
    if (state?.isDecoded === true) return state;
    if (performance.now() > until) throw new LogUnavailableError("No host decodes the log.");
    await wait(beginPollMs);
  }
  throw new LogUnavailableError("Realtime is closing.");
}

/**
 * Follows the shared log from its end on. Every later commit is read, or `onLost` is called.
 * @throws {LogUnavailableError}
 */
export async function followLog(
  { log, host }: { log: SharedLog; host: string },
  listener: WalStreamListener,
  isOpen: () => boolean,
): Promise<WalStream> {
  const { run, head } = await stateWithin(log, isOpen);
  const reader = new EntryReader(host);
  let after = head;
  const closing = new AbortController();
  let knownHead = head;
  let decodedAt = performance.now();
  let resumed: PromiseWithResolvers<undefined> | undefined;

  const readOnce = async () => {
    const entries = await log.read(run, after);
    if (entries.length === 0) {
      const state = await log.state();
      // A decoder that could not continue has begun a new run.
      if (state?.run !== run) return false;
      // Or entries that were there at the last look can't be read.
      if (after < knownHead) return false;
      knownHead = state.head;
      if (state.isDecoded) decodedAt = performance.now();
      else if (performance.now() - decodedAt > undecodedMs) return false;
    } else decodedAt = performance.now();
    for (const { sequence, bytes } of entries) {
      if (closing.signal.aborted) return true;
      if (sequence !== after + 1) return false;
      after = sequence;
      for (const { item, bytes: size } of reader.read(bytes)) listener.onItem(item, size);
    }
    return true;
  };
  const follow = async () => {
    let answeredAt = performance.now();
    while (!closing.signal.aborted) {
      if (resumed !== undefined) {
        await resumed.promise;
        answeredAt = performance.now();
      }
      try {
        if (!(await readOnce())) throw new LogUnavailableError("The shared log has a gap.");
        answeredAt = performance.now();
      } catch (error) {
        const hasGap = error instanceof LogUnavailableError;
        if (hasGap || performance.now() - answeredAt > giveUpMs) throw error;
        await wait(retryMs);
      }
    }
  };
  follow().catch((error: unknown) => {
    if (closing.signal.aborted) return;
    closing.abort();
    listener.onLost(error instanceof Error ? error : new Error(String(error)));
  });
  return {
    pause: () => (resumed ??= Promise.withResolvers()),
    resume: () => {
      resumed?.resolve(undefined);
      resumed = undefined;
    },
    close: async () => {
      closing.abort();
      resumed?.resolve(undefined);
      await Promise.resolve();
    },
  };
}
