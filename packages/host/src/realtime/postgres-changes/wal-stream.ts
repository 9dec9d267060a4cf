// Follows the write-ahead log for this host alone, over a temporary slot.

import type { WalItem } from "./pgoutput.ts";
import { ReplicationSlot, type WalStream } from "./replication-slot.ts";

/** Callbacks of a stream of changes. */
export interface WalStreamListener {
  /** @param bytes size of the item in the log */
  onItem: (item: WalItem, bytes: number) => void;
  /** Called once when the stream ends by itself. Later changes are lost. */
  onLost: (reason: Error) => void;
}

/**
 * Follows the write-ahead log from now on.
 * @throws when the server refuses, for example because of `wal_level` or a missing privilege
 */
export async function openWalStream(url: string, listener: WalStreamListener): Promise<WalStream> {
  const slot = await ReplicationSlot.create(url);
  return await slot.stream({
    onMessage: (raw, item) => {
      if (item !== undefined) listener.onItem(item, raw.length);
    },
    onLost: listener.onLost,
  });
}
