// Connects the hosts of one database, so that broadcasts and presence reach the clients of all of them.

import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { HostContext } from "../../context.ts";
import type { Broadcast, TopicRegistry, TopicName } from "../channels/topic-registry.ts";
import type { PresenceMeta } from "../presence/presence-state.ts";
import type { RealtimeLimits } from "../limits/realtime-limits.ts";

/** Prefix of the logical messages hosts write for each other. */
export const clusterBusPrefix = "host-realtime";

const name = z.object({ topic: z.string(), isPrivate: z.boolean() });
const clusterMessage = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("broadcast"),
    name,
    event: z.string(),
    payload: z.string(),
    isBytes: z.boolean(),
  }),
  z.object({
    kind: z.literal("track"),
    name,
    trackerId: z.string(),
    key: z.string(),
    ref: z.string(),
    json: z.string(),
  }),
  z.object({ kind: z.literal("untrack"), name, trackerId: z.string() }),
  z.object({ kind: z.literal("hello") }),
  z.object({ kind: z.literal("heartbeat") }),
  z.object({ kind: z.literal("bye") }),
]);
const envelope = z.object({ from: z.string(), messages: z.array(clusterMessage) });
type ClusterMessage = z.infer<typeof clusterMessage>;

/** Carries broadcasts and presence to other hosts over the same database. */
export interface ClusterBus {
  /** Called when the log is read from now on. Asks the other hosts for their presences. */
  start: () => void;
  broadcast: (name: TopicName, broadcast: Broadcast) => void;
  tracked: (name: TopicName, trackerId: string, key: string, meta: PresenceMeta) => void;
  untracked: (name: TopicName, trackerId: string) => void;
  /** Takes an envelope from the log, possibly written by this host. */
  receive: (content: Buffer) => void;
  /** Sends a heartbeat when it is due and removes peers that have been silent for too long. */
  sweep: () => void;
  close: () => Promise<void>;
}

/** For a host that is the only one over its database. */
export const noClusterBus: ClusterBus = {
  start: () => undefined,
  broadcast: () => undefined,
  tracked: () => undefined,
  untracked: () => undefined,
  receive: () => undefined,
  sweep: () => undefined,
  close: async () => await Promise.resolve(),
};

/** The largest number of other hosts. */
const maxPeers = 64;
/** Limits of message envelope, in messages and bytes. */
const maxMessagesPerEnvelope = 100;
const maxEnvelopeBytes = 1024 * 1024;

/** Another host: its presences, and when it was last seen. */
interface Peer {
  lastSeenAt: number;
  present: Map<string, TopicName>;
}

/** A bus over logical messages in the write-ahead log, which every host reads already. Needs no table and no clean-up. */
export class WalClusterBus implements ClusterBus {
  readonly #context: HostContext;
  readonly #topics: TopicRegistry;
  readonly #id = randomUUID();
  readonly #peers = new Map<string, Peer>();
  readonly #limits: RealtimeLimits;
  #heartbeatAt: number;
  #queue: string[] = [];
  #queuedBytes = 0;
  #sending: Promise<void> | undefined;

  constructor(context: HostContext, topics: TopicRegistry, limits: RealtimeLimits) {
    this.#context = context;
    this.#topics = topics;
    this.#limits = limits;
    this.#heartbeatAt = context.now();
  }

  start(): void {
    for (const [from, peer] of this.#peers) this.#removePeer(from, peer);
    this.#post({ kind: "hello" });
  }

  broadcast(topic: TopicName, { event, payload }: Broadcast): void {
    const isBytes = typeof payload !== "string";
    const text = isBytes ? payload.toString("base64") : payload;
    this.#post({ kind: "broadcast", name: topic, event, payload: text, isBytes });
  }

  tracked(topic: TopicName, trackerId: string, key: string, { ref, json }: PresenceMeta): void {
    this.#post({ kind: "track", name: topic, trackerId, key, ref, json });
  }

  untracked(topic: TopicName, trackerId: string): void {
    this.#post({ kind: "untrack", name: topic, trackerId });
  }

  receive(content: Buffer): void {
    const parsed = parseEnvelope(content);
    if (parsed === undefined || parsed.from === this.#id) return;
    const { from, messages } = parsed;
    if (!this.#peers.has(from) && this.#peers.size >= maxPeers) return;
    const known = this.#peers.get(from);
    const peer = known ?? { lastSeenAt: 0, present: new Map<string, TopicName>() };
    peer.lastSeenAt = this.#context.now();
    this.#peers.set(from, peer);
    // A new or returning host: ask for its presences.
    if (known === undefined && messages.every(({ kind }) => kind !== "bye"))
      this.#post({ kind: "hello" });
    for (const message of messages) this.#apply(from, peer, message);
  }

  sweep(): void {
    const now = this.#context.now();
    if (now - this.#heartbeatAt >= this.#limits.heartbeatEveryMs) {
      this.#heartbeatAt = now;
      this.#post({ kind: "heartbeat" });
    }
    for (const [from, peer] of this.#peers) {
      if (now - peer.lastSeenAt > this.#limits.peerTimeoutMs) this.#removePeer(from, peer);
    }
  }

  async close(): Promise<void> {
    this.#post({ kind: "bye" });
    await this.#sending;
  }

  #apply(from: string, peer: Peer, message: ClusterMessage): void {
    switch (message.kind) {
      case "broadcast":
        this.#topics.broadcast(message.name, {
          event: message.event,
          payload: message.isBytes ? Buffer.from(message.payload, "base64") : message.payload,
        });
        break;
      case "track":
        this.#track(peer, message);
        break;
      case "untrack":
        peer.present.delete(message.trackerId);
        this.#topics.untrack(message.name, message.trackerId);
        break;
      case "hello":
        this.#announcePresences();
        break;
      case "bye":
        this.#removePeer(from, peer);
        break;
      case "heartbeat":
        break;
    }
  }

  /** A presence above this host's limits is not shown here; the peer has already counted it. */
  #track(peer: Peer, message: Extract<ClusterMessage, { kind: "track" }>): void {
    const { name: topic, trackerId, key, ref, json } = message;
    const tracked = this.#topics.track(topic, trackerId, key, { ref, json });
    if (tracked !== "full") peer.present.set(trackerId, topic);
  }

  /** Sends the presences of this host to a new peer. */
  #announcePresences(): void {
    const foreign = new Set(
      [...this.#peers.values()].flatMap(({ present }) => [...present.keys()]),
    );
    for (const { name: topic, trackerId, key, meta } of this.#topics.allPresences()) {
      if (!foreign.has(trackerId)) this.tracked(topic, trackerId, key, meta);
    }
  }

  #removePeer(from: string, peer: Peer): void {
    this.#peers.delete(from);
    for (const [trackerId, topic] of peer.present) this.#topics.untrack(topic, trackerId);
  }

  #post(message: ClusterMessage): void {
    const json = JSON.stringify(message);
    const isEphemeral = message.kind === "broadcast";
    // A slow database must not fill the memory. Presence is small and has limits of its own.
    if (isEphemeral && this.#queuedBytes + json.length > this.#limits.clusterBusBytes) return;
    this.#queuedBytes += json.length;
    this.#queue.push(json);
    // Messages posted while an envelope is being written go into the next message.
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  async #send(): Promise<void> {
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const messages = this.#takeEnvelope();
      try {
        await this.#context.db.background.query(
          "select pg_logical_emit_message(true, $1, $2::text)",
          [
            clusterBusPrefix,
            `{"from":${JSON.stringify(this.#id)},"messages":[${messages.join(",")}]}`,
          ],
        );
      } catch (error) {
        this.#context.log.warn({ err: error }, "messages to other hosts could not be written");
      }
    }
  }

  #takeEnvelope(): string[] {
    let bytes = 0;
    let count = 0;
    for (const json of this.#queue.slice(0, maxMessagesPerEnvelope)) {
      if (count > 0 && bytes + json.length > maxEnvelopeBytes) break;
      bytes += json.length;
      count += 1;
    }
    this.#queuedBytes -= bytes;
    return this.#queue.splice(0, count);
  }
}

/** Undefined for unknown content, which must not end the stream. */
function parseEnvelope(content: Buffer): z.infer<typeof envelope> | undefined {
  try {
    return envelope.safeParse(JSON.parse(content.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}
