// Connects the hosts of one database, so that broadcasts and presence reach the clients of all of them.

import { randomUUID } from "node:crypto";
import type { HostContext } from "../../context.ts";
import { hostName } from "../../host-name.ts";
import type { Broadcast, TopicRegistry, TopicName } from "../channels/topic-registry.ts";
import type { PresenceMeta } from "../presence/presence-state.ts";
import type { RealtimeLimits } from "../limits/realtime-limits.ts";
import { parseEnvelope, writeEnvelope, type ClusterMessage } from "./cluster-envelope.ts";
import type { ClusterTransport, Way } from "./cluster-transport.ts";

/** Carries broadcasts and presence to other hosts over the same database. */
export interface ClusterBus {
  /** Called when this host hears the others from now on. Asks them for their presences. */
  start: () => void;
  broadcast: (name: TopicName, broadcast: Broadcast) => void;
  tracked: (name: TopicName, trackerId: string, key: string, meta: PresenceMeta) => void;
  untracked: (name: TopicName, trackerId: string) => void;
  /** Takes an envelope, possibly of this host. */
  receive: (content: Buffer) => void;
  /** Sends a heartbeat when it is due and removes peers that have been silent for too long. */
  sweep: () => void;
  /** Whether another host over the same database is heard. */
  hasPeers: () => boolean;
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
  hasPeers: () => false,
  close: async () => await Promise.resolve(),
};

/** The largest number of other hosts. */
const maxPeers = 64;
/** Limits of message envelope, in messages and bytes. */
const maxMessagesPerEnvelope = 100;
const maxEnvelopeBytes = 1024 * 1024;

/** Numbers of envelopes that are remembered for each peer. */
const maxNumbers = 256;
/** Hosts that don't agree on Redis for this long are not set up alike. */
const disagreementMs = 60_000;

const presencesBegin = JSON.stringify({ kind: "presencesBegin" } satisfies ClusterMessage);

/** Another host. */
interface Peer {
  readonly host: string;
  lastSeenAt: number;
  hasRedis: boolean;
  /** Numbers of its last envelopes, and the highest. */
  numbers: Set<number>;
  highest: number;
  present: Map<string, TopicName>;
  /** Its presences that it has not told again, while it tells all. */
  untold: Set<string> | undefined;
}

/** A bus over what hosts share anyway: needs no table and no clean-up. */
export class HostBus implements ClusterBus {
  readonly #context: Pick<HostContext, "log" | "now">;
  readonly #host: string;
  readonly #topics: TopicRegistry;
  readonly #transport: ClusterTransport;
  readonly #id = randomUUID();
  readonly #peers = new Map<string, Peer>();
  readonly #limits: RealtimeLimits;
  #heartbeatAt: number;
  #queue: string[] = [];
  #queuedBytes = 0;
  #number = 0;
  #way: Way | undefined;
  #disagreeSince: number | undefined;
  #hasToldDisagreement = false;
  #sending: Promise<void> | undefined;

  constructor(
    context: Pick<HostContext, "localUrl" | "log" | "now">,
    topics: TopicRegistry,
    limits: RealtimeLimits,
    transport: ClusterTransport,
  ) {
    this.#context = context;
    this.#host = hostName(context);
    this.#topics = topics;
    this.#limits = limits;
    this.#transport = transport;
    this.#heartbeatAt = context.now();
    transport.listen(
      (content) => this.receive(content),
      (hasRedis) => {
        if (hasRedis) this.start();
        // The others have to know at once: what they publish is not heard here.
        else this.#post({ kind: "heartbeat" });
      },
    );
  }

  /** What others tell is taken instead of what is known of them, which stays until then. */
  start(): void {
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
    const { from, number, hasRedis, host, messages } = parsed;
    const known = this.#peers.get(from);
    if (known === undefined && this.#peers.size >= maxPeers) return;
    const peer = known ?? newPeer(host);
    const isLate = number !== undefined && number < peer.highest;
    if (number !== undefined && !isFirst(peer, number)) return;
    peer.lastSeenAt = this.#context.now();
    // The state of a late one is over.
    if (!isLate) peer.hasRedis = hasRedis;
    this.#peers.set(from, peer);
    // A new or returning host: ask for its presences.
    if (known === undefined && messages.every(({ kind }) => kind !== "bye")) {
      this.#context.log.info({ peer: host }, "another host is heard");
      this.#post({ kind: "hello" });
    }
    for (const message of messages) {
      if (!isLate || message.kind === "broadcast") this.#apply(from, peer, message);
    }
  }

  sweep(): void {
    const now = this.#context.now();
    if (now - this.#heartbeatAt >= this.#limits.heartbeatEveryMs) {
      this.#heartbeatAt = now;
      this.#post({ kind: "heartbeat" });
    }
    for (const [from, peer] of this.#peers) {
      const silentMs = now - peer.lastSeenAt;
      if (silentMs <= this.#limits.peerTimeoutMs) continue;
      const seconds = Math.round(silentMs / 1000);
      this.#context.log.warn(
        { peer: peer.host, seconds },
        "another host is silent: it is no longer counted on, nor who was present there",
      );
      this.#removePeer(from, peer);
    }
    this.#tellDisagreement(now);
  }

  hasPeers(): boolean {
    return this.#peers.size > 0;
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
        this.#untrack(peer, message.trackerId, message.name);
        break;
      case "presencesBegin":
        peer.untold = new Set(peer.present.keys());
        break;
      case "presencesEnd":
        for (const trackerId of peer.untold ?? []) {
          const topic = peer.present.get(trackerId);
          if (topic !== undefined) this.#untrack(peer, trackerId, topic);
        }
        peer.untold = undefined;
        break;
      case "hello":
        this.#announcePresences();
        break;
      case "bye":
        this.#context.log.info({ peer: peer.host }, "another host has stopped");
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
    if (tracked === "full") return;
    peer.present.set(trackerId, topic);
    peer.untold?.delete(trackerId);
  }

  #untrack(peer: Peer, trackerId: string, topic: TopicName): void {
    peer.present.delete(trackerId);
    this.#topics.untrack(topic, trackerId);
  }

  /** Sends all presences of this host, in place of what its peers know of them. */
  #announcePresences(): void {
    // One that is still to be sent answers this question, too: hosts that all return at once ask one after the other.
    if (this.#queue.includes(presencesBegin)) return;
    const foreign = new Set(
      [...this.#peers.values()].flatMap(({ present }) => [...present.keys()]),
    );
    this.#post({ kind: "presencesBegin" });
    for (const { name: topic, trackerId, key, meta } of this.#topics.allPresences()) {
      if (!foreign.has(trackerId)) this.tracked(topic, trackerId, key, meta);
    }
    this.#post({ kind: "presencesEnd" });
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
    // Messages posted while an envelope is being sent go into the next one.
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  async #send(): Promise<void> {
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const messages = this.#takeEnvelope();
      const number = (this.#number += 1);
      const write = (hasRedis: boolean) =>
        writeEnvelope({ from: this.#id, number, hasRedis, host: this.#host }, messages);
      const way = await this.#transport.send(write, this.#allHaveRedis());
      const before = this.#way;
      this.#way = way;
      // What was lost is missing there, and what still comes by the log is too late.
      const isBehind = before === "lost" || (before === "log" && way === "redis");
      if (isBehind && way !== "lost") this.#announcePresences();
    }
  }

  /** While one host does not hear Redis, what is for all goes through the log. */
  #allHaveRedis(): boolean {
    return [...this.#peers.values()].every(({ hasRedis }) => hasRedis);
  }

  /** Nothing is lost by it, but Redis is of no use then. */
  #tellDisagreement(now: number): void {
    const { hasRedis } = this.#transport;
    const others = [...this.#peers.values()].filter((peer) => peer.hasRedis !== hasRedis);
    if (others.length === 0) {
      this.#disagreeSince = undefined;
      this.#hasToldDisagreement = false;
      return;
    }
    this.#disagreeSince ??= now;
    if (this.#hasToldDisagreement || now - this.#disagreeSince < disagreementMs) return;
    this.#hasToldDisagreement = true;
    this.#context.log.warn(
      { hasRedis, otherwise: others.map(({ host }) => host) },
      "Only some of the hosts over this database hear each other through Redis, so broadcasts and presence go through PostgreSQL: REDIS_URL has to be the same on all of them",
    );
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

function newPeer(host: string): Peer {
  return {
    host,
    lastSeenAt: 0,
    hasRedis: false,
    numbers: new Set(),
    highest: 0,
    present: new Map(),
    untold: undefined,
  };
}

/** False for an envelope that came before by another way. */
function isFirst(peer: Peer, number: number): boolean {
  if (peer.numbers.has(number)) return false;
  peer.numbers.add(number);
  peer.highest = Math.max(peer.highest, number);
  if (peer.numbers.size > maxNumbers) {
    const [oldest = 0] = peer.numbers;
    peer.numbers.delete(oldest);
  }
  return true;
}
