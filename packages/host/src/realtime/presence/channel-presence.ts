// Handles `track` and `untrack` of a channel, and resends the whole state to clients that missed diffs.

import { randomBytes, randomUUID } from "node:crypto";
import { encodeFrame, type Frame } from "../socket/frames.ts";
import type { RealtimeServices } from "../server/realtime-services.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";
import type { ChannelSocket } from "../channels/channel-socket.ts";
import type { TopicName } from "../channels/topic-registry.ts";
import { presenceSize } from "./presence-state.ts";

const tooManyPresenceMessages = "Too many presence messages per second";

/** Errors that close the channel, and their texts on hosted projects. */
export const presenceCloseReasons: Readonly<Record<string, string>> = {
  client_rate_limit_exceeded: "Client presence rate limit exceeded",
  payload_size_exceeded: "Track message size exceeded",
};

/** The presence of one channel, within the limits of its caller, socket, topic and process. */
export class ChannelPresence {
  readonly #services: RealtimeServices;
  readonly #topic: TopicName;
  readonly #key: string;
  readonly #socket: ChannelSocket;
  /** Identifies the channel on other hosts. */
  readonly #trackerId = randomUUID();
  #bytes = 0;
  #calls = 0;
  #windowEndsAt = 0;
  /** True while the client has missed diffs; it gets the whole state once it has caught up. */
  #isStale = false;

  constructor(services: RealtimeServices, socket: ChannelSocket, name: TopicName, key: string) {
    this.#services = services;
    this.#socket = socket;
    this.#topic = name;
    this.#key = key;
  }

  /** Sends the whole state. */
  sendState(): void {
    const message = {
      joinRef: null,
      ref: null,
      topic: `realtime:${this.#topic.topic}`,
      event: "presence_state",
    };
    const json = this.#services.topics.presenceJson(this.#topic);
    this.#isStale = !this.#socket.sendEphemeral(encodeFrame(this.#socket.version, message, json));
  }

  /** Sends a diff, unless the client has missed one before. */
  sendDiff(frame: Frame): void {
    if (!this.#isStale) this.#isStale = !this.#socket.sendEphemeral(frame);
  }

  /** Sends the whole state if the client missed a diff. */
  catchUp(): void {
    if (this.#isStale) this.sendState();
  }

  /**
   * Tracks or untracks.
   * @returns the error, or undefined
   */
  change(
    action: string,
    payload: unknown,
    { caller, canTrack }: { caller: RealtimeCaller; canTrack: boolean },
  ): string | undefined {
    if (!this.#countCall()) return "client_rate_limit_exceeded";
    if (action === "untrack") this.untrack();
    if (action !== "track") return undefined;
    if (!canTrack) return "unauthorized";
    const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload);
    return isObject ? this.#track(payload, caller) : "invalid_payload";
  }

  #countCall(): boolean {
    const { context, limits } = this.#services;
    const now = context.now();
    if (now >= this.#windowEndsAt) {
      this.#windowEndsAt = now + limits.presenceWindowMs;
      this.#calls = 0;
    }
    this.#calls += 1;
    return this.#calls <= limits.presenceCallsPerWindow;
  }

  #track(payload: object, caller: RealtimeCaller): string | undefined {
    const { topics, clusterBus } = this.#services;
    const meta = { ref: randomBytes(9).toString("base64url"), json: JSON.stringify(payload) };
    const bytes = presenceSize(this.#key, meta.json);
    if (bytes > caller.limits.presenceBytes) return "payload_size_exceeded";
    const fanOutBytes = bytes * topics.memberCount(this.#topic);
    const isAllowed =
      topics.spendPresenceEvent(this.#topic) &&
      caller.spend("fanOutBytes", fanOutBytes) &&
      topics.spendFanOut(this.#topic, fanOutBytes);
    if (!isAllowed) return tooManyPresenceMessages;
    const more = bytes - this.#bytes;
    if (!this.#socket.presenceBytes.reserve(more)) return "presence_limit_reached";
    const tracked = topics.track(this.#topic, this.#trackerId, this.#key, meta);
    if (tracked === "full") {
      this.#socket.presenceBytes.release(more);
      return "presence_limit_reached";
    }
    this.#bytes = bytes;
    if (tracked === "changed") clusterBus.tracked(this.#topic, this.#trackerId, this.#key, meta);
    return undefined;
  }

  untrack(): void {
    const { topics, clusterBus } = this.#services;
    this.#socket.presenceBytes.release(this.#bytes);
    this.#bytes = 0;
    if (topics.untrack(this.#topic, this.#trackerId))
      clusterBus.untracked(this.#topic, this.#trackerId);
  }
}
