import type { Broadcast, TopicRegistry, TopicName } from "../channels/topic-registry.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";

/** Bytes counted for a broadcast besides its payload. */
const broadcastOverheadBytes = 128;

/**
 * Whether a broadcast may be sent, or which limit it exceeds: its size, the caller's rate, or the rate of the topic
 * or the process.
 */
export type BroadcastResult =
  "ok" | "payload_size_exceeded" | "caller_rate_limited" | "topic_rate_limited";

/** Counts a broadcast against the limits of its caller, its topic and the process. */
export function checkBroadcastLimits(
  topics: TopicRegistry,
  caller: RealtimeCaller,
  name: TopicName,
  { payload, event }: Pick<Broadcast, "payload" | "event">,
): BroadcastResult {
  const bytes = Buffer.byteLength(payload) + Buffer.byteLength(event) + broadcastOverheadBytes;
  if (bytes > caller.limits.broadcastBytes + broadcastOverheadBytes) return "payload_size_exceeded";
  if (!caller.spend("broadcastBytes", bytes)) return "caller_rate_limited";
  const fanOutBytes = bytes * topics.memberCount(name);
  if (!caller.spend("fanOutBytes", fanOutBytes)) return "caller_rate_limited";
  return topics.spendFanOut(name, fanOutBytes) ? "ok" : "topic_rate_limited";
}
