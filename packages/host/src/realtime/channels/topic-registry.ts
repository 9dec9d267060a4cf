// Knows which channels have joined which topic, and sends broadcasts and presence diffs to all of them.

import {
  encodeBroadcast,
  encodeFrame,
  type Frame,
  type ProtocolVersion,
} from "../socket/frames.ts";
import type { RealtimeLimits } from "../limits/realtime-limits.ts";
import { ByteBudget } from "../limits/byte-budget.ts";
import { TokenBucket } from "../limits/token-bucket.ts";
import {
  diffJson,
  presenceSize,
  PresenceState,
  type PresenceMeta,
  type PresenceDiff,
} from "../presence/presence-state.ts";

/** A broadcast. */
export interface Broadcast {
  event: string;
  /** JSON text, or bytes that only clients of 2.0.0 can receive. */
  payload: string | Buffer;
  /** JSON for the client's `meta`; none when undefined. */
  meta?: string;
}

/** Identifies a topic. A private and a public topic of the same name are different topics. */
export interface TopicName {
  topic: string;
  isPrivate: boolean;
}

/** A joined channel, as the topic registry needs it. */
export interface TopicMember {
  /** Topic as clients write it, with `realtime:` before it. */
  readonly fullTopic: string;
  readonly version: ProtocolVersion;
  readonly receivesBroadcasts: boolean;
  readonly receivesPresence: boolean;
  /** Sends a broadcast, or drops it for a slow client. */
  sendBroadcast: (frame: Frame) => void;
  /** Sends a presence diff. A slow client gets the whole state later instead. */
  sendPresence: (frame: Frame) => void;
}

interface Topic {
  members: Set<TopicMember>;
  presence: PresenceState;
  fanOut: TokenBucket;
  presenceEvents: TokenBucket;
}

/** Result of `track`. */
export type TrackResult = "changed" | "unchanged" | "full";

/** Encodes a broadcast for one protocol version; undefined when that version cannot carry it. */
export function broadcastFrame(
  version: ProtocolVersion,
  fullTopic: string,
  { event, payload, meta }: Broadcast,
): Frame | undefined {
  const isText = typeof payload === "string";
  if (version === "2.0.0" && (meta === undefined || !isText)) {
    const bytes = isText ? Buffer.from(payload) : payload;
    const frame = encodeBroadcast(fullTopic, { event, isJson: isText, payload: bytes }, meta);
    if (frame !== undefined) return frame;
  }
  if (!isText) return undefined;
  const name = JSON.stringify(event);
  const rest = meta === undefined ? "" : `,"meta":${meta}`;
  const json = `{"type":"broadcast","event":${name},"payload":${payload}${rest}}`;
  const message = { joinRef: null, ref: null, topic: fullTopic, event: "broadcast" };
  return encodeFrame(version, message, json);
}

/** The topics of this process with their members and presences. */
export class TopicRegistry {
  readonly #topics = new Map<string, Topic>();
  readonly #limits: RealtimeLimits;
  readonly #now: () => number;
  readonly #presence: ByteBudget;
  readonly #fanOut: TokenBucket;

  constructor(limits: RealtimeLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#presence = new ByteBudget(limits.presenceBytes);
    this.#fanOut = new TokenBucket(limits.fanOutBytesPerSecond);
  }

  /** Number of channels joined to the topic. */
  memberCount(name: TopicName): number {
    return this.#topics.get(keyOf(name))?.members.size ?? 0;
  }

  /** Counts the bytes of a fan-out over all receivers; false when the topic or the process is over its limit. */
  spendFanOut(name: TopicName, bytes: number): boolean {
    const now = this.#now();
    const topic = this.#topics.get(keyOf(name));
    if (!this.#fanOut.isOpen(now) || topic?.fanOut.isOpen(now) === false) return false;
    this.#fanOut.charge(bytes, now);
    topic?.fanOut.charge(bytes, now);
    return true;
  }

  /** Counts a presence change; false when the topic is over its limit. */
  spendPresenceEvent(name: TopicName): boolean {
    return this.#topics.get(keyOf(name))?.presenceEvents.take(1, this.#now()) !== false;
  }

  join(name: TopicName, member: TopicMember): void {
    this.#getOrCreate(name).members.add(member);
  }

  leave(name: TopicName, member: TopicMember): void {
    this.#topics.get(keyOf(name))?.members.delete(member);
    this.#deleteIfEmpty(name);
  }

  /** Sends a broadcast to all members except the given one. The frame is encoded once for each protocol version. */
  broadcast(name: TopicName, broadcast: Broadcast, except?: TopicMember): void {
    const frames = new Map<ProtocolVersion, Frame | undefined>();
    for (const member of this.#topics.get(keyOf(name))?.members ?? []) {
      if (member === except || !member.receivesBroadcasts) continue;
      const { version, fullTopic } = member;
      if (!frames.has(version)) frames.set(version, broadcastFrame(version, fullTopic, broadcast));
      const frame = frames.get(version);
      if (frame !== undefined) member.sendBroadcast(frame);
    }
  }

  /** Tracks a presence and sends the diff, unless the topic or the process is full. */
  track(name: TopicName, trackerId: string, key: string, meta: PresenceMeta): TrackResult {
    const { presence } = this.#getOrCreate(name);
    const before = presence.bytesOf(trackerId);
    const more = presenceSize(key, meta.json) - before;
    const isFull =
      (before === 0 && presence.size >= this.#limits.presencesPerTopic) ||
      presence.bytes + more > this.#limits.presenceBytesPerTopic;
    if (isFull || !this.#presence.reserve(more)) {
      this.#deleteIfEmpty(name);
      return "full";
    }
    const diff = presence.track(trackerId, key, meta);
    if (diff === undefined) return "unchanged";
    this.#broadcastDiff(name, diff);
    return "changed";
  }

  untrack(name: TopicName, trackerId: string): boolean {
    const presence = this.#topics.get(keyOf(name))?.presence;
    this.#presence.release(presence?.bytesOf(trackerId) ?? 0);
    const diff = presence?.untrack(trackerId);
    if (diff !== undefined) this.#broadcastDiff(name, diff);
    this.#deleteIfEmpty(name);
    return diff !== undefined;
  }

  presenceJson(name: TopicName): string {
    return this.#topics.get(keyOf(name))?.presence.toJson() ?? "{}";
  }

  /** All presences, for another host. */
  allPresences(): { name: TopicName; trackerId: string; key: string; meta: PresenceMeta }[] {
    return [...this.#topics].flatMap(([key, { presence }]) =>
      presence.entries().map((entry) => ({ name: nameOf(key), ...entry })),
    );
  }

  #broadcastDiff(name: TopicName, diff: PresenceDiff): void {
    const json = diffJson(diff);
    const frames = new Map<ProtocolVersion, Frame>();
    for (const member of this.#topics.get(keyOf(name))?.members ?? []) {
      if (!member.receivesPresence) continue;
      const { version, fullTopic: topic } = member;
      const message = { joinRef: null, ref: null, topic, event: "presence_diff" };
      const frame = frames.get(version) ?? encodeFrame(version, message, json);
      frames.set(version, frame);
      member.sendPresence(frame);
    }
  }

  #getOrCreate(name: TopicName): Topic {
    const key = keyOf(name);
    const topic = this.#topics.get(key) ?? {
      members: new Set(),
      presence: new PresenceState(),
      fanOut: new TokenBucket(this.#limits.fanOutBytesPerSecondPerTopic),
      presenceEvents: new TokenBucket(this.#limits.presenceEventsPerSecondPerTopic),
    };
    this.#topics.set(key, topic);
    return topic;
  }

  #deleteIfEmpty(name: TopicName): void {
    const topic = this.#topics.get(keyOf(name));
    if (topic?.members.size === 0 && topic.presence.isEmpty) this.#topics.delete(keyOf(name));
  }
}

function keyOf({ topic, isPrivate }: TopicName): string {
  return (isPrivate ? "private:" : "public:") + topic;
}

function nameOf(key: string): TopicName {
  const at = key.indexOf(":");
  return { topic: key.slice(at + 1), isPrivate: key.startsWith("private:") };
}
