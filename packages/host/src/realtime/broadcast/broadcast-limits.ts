import type { Broadcast, TopicRegistry, TopicName } from "../channels/topic-registry.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";

/** What a broadcast is counted as besides its payload. */
const broadcastOverheadBytes = 128;

/**
 * Whether a broadcast may be sent: too large, its caller sends too much, or the topic (or all together)
 * is sent too much.
 */
export type BroadcastResult =
  "ok" | "payload_size_exceeded" | "caller_rate_limited" | "topic_rate_limited";

/** Checks a broadcast against the limits of its caller, its topic and the process, and counts it. */
export function checkBroadcastLimits(
  hub: TopicRegistry,
  caller: RealtimeCaller,
  name: TopicName,
  { payload, event }: Pick<Broadcast, "payload" | "event">,
): BroadcastResult {
  const bytes = Buffer.byteLength(payload) + Buffer.byteLength(event) + broadcastOverheadBytes;
  if (bytes > caller.limits.broadcastBytes + broadcastOverheadBytes) return "payload_size_exceeded";
  if (!caller.spend("broadcastBytes", bytes)) return "caller_rate_limited";
  const heard = bytes * hub.memberCount(name);
  if (!caller.spend("fanOutBytes", heard)) return "caller_rate_limited";
  return hub.spendFanOut(name, heard) ? "ok" : "topic_rate_limited";
}
