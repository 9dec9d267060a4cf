import type { Broadcast, Hub, TopicName } from "./channels/hub.ts";
import type { Caller } from "./senders.ts";

/** What a broadcast is counted as besides its payload. */
const OVERHEAD_BYTES = 128;

/**
 * Whether a broadcast may be sent: too large, its caller sends too much, or the topic (or all together)
 * is sent too much.
 */
export type BroadcastAnswer =
  "ok" | "payload_size_exceeded" | "caller_rate_limited" | "topic_rate_limited";

/** Checks a broadcast against the limits of its caller, its topic and the process, and counts it. */
export function admitBroadcast(
  hub: Hub,
  caller: Caller,
  name: TopicName,
  { payload, event }: Pick<Broadcast, "payload" | "event">,
): BroadcastAnswer {
  const bytes = Buffer.byteLength(payload) + Buffer.byteLength(event) + OVERHEAD_BYTES;
  if (bytes > caller.limits.broadcastBytes + OVERHEAD_BYTES) return "payload_size_exceeded";
  if (!caller.spend("broadcastBytes", bytes)) return "caller_rate_limited";
  const heard = bytes * hub.membersOf(name);
  if (!caller.spend("fanOutBytes", heard)) return "caller_rate_limited";
  return hub.spendFanOut(name, heard) ? "ok" : "topic_rate_limited";
}
