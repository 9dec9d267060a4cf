import { randomBytes, randomUUID } from "node:crypto";
import { encodeFrame, type Frame } from "../frames.ts";
import type { RealtimeParts } from "../parts.ts";
import type { Caller } from "../senders.ts";
import type { ChannelSocket } from "./channel-socket.ts";
import type { TopicName } from "./hub.ts";
import { presenceSize } from "./presence.ts";

const TOO_MANY_PRESENCES = "Too many presence messages per second";

/** What a client is told when its channel ends for what went wrong; as on hosted projects. */
export const endsOfPresence: Readonly<Record<string, string>> = {
  client_rate_limit_exceeded: "Client presence rate limit exceeded",
  payload_size_exceeded: "Track message size exceeded",
};

/** What one channel tracks, within the limits of its caller, socket, topic and process. */
export class ChannelPresence {
  readonly #parts: RealtimeParts;
  readonly #name: TopicName;
  readonly #key: string;
  readonly #socket: ChannelSocket;
  /** Names the channel to other hosts. */
  readonly #holder = randomUUID();
  #bytes = 0;
  #calls = 0;
  #windowEndsAt = 0;
  /** True while the client has missed changes; it is told the whole state once it has caught up. */
  #isStale = false;

  constructor(parts: RealtimeParts, socket: ChannelSocket, name: TopicName, key: string) {
    this.#parts = parts;
    this.#socket = socket;
    this.#name = name;
    this.#key = key;
  }

  /** Tells the client who is present. */
  sendState(): void {
    const message = {
      joinRef: null,
      ref: null,
      topic: `realtime:${this.#name.topic}`,
      event: "presence_state",
    };
    const json = this.#parts.hub.presenceJson(this.#name);
    this.#isStale = !this.#socket.sendEphemeral(encodeFrame(this.#socket.version, message, json));
  }

  /** Tells the client of a change, unless it has missed one before. */
  sendDiff(frame: Frame): void {
    if (!this.#isStale) this.#isStale = !this.#socket.sendEphemeral(frame);
  }

  /** Tells the client everything if it missed something. */
  catchUp(): void {
    if (this.#isStale) this.sendState();
  }

  /**
   * Tracks or untracks.
   * @returns what went wrong, or undefined
   */
  change(
    action: string,
    payload: unknown,
    { caller, mayTrack }: { caller: Caller; mayTrack: boolean },
  ): string | undefined {
    if (!this.#countCall()) return "client_rate_limit_exceeded";
    if (action === "untrack") this.untrack();
    if (action !== "track") return undefined;
    if (!mayTrack) return "unauthorized";
    const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload);
    return isObject ? this.#track(payload, caller) : "invalid_payload";
  }

  #countCall(): boolean {
    const { context, limits } = this.#parts;
    const now = context.now();
    if (now >= this.#windowEndsAt) {
      this.#windowEndsAt = now + limits.presenceWindowMs;
      this.#calls = 0;
    }
    this.#calls += 1;
    return this.#calls <= limits.presenceCallsPerWindow;
  }

  #track(payload: object, caller: Caller): string | undefined {
    const { hub, relay } = this.#parts;
    const meta = { ref: randomBytes(9).toString("base64url"), json: JSON.stringify(payload) };
    const bytes = presenceSize(this.#key, meta.json);
    if (bytes > caller.limits.presenceBytes) return "payload_size_exceeded";
    const heard = bytes * hub.membersOf(this.#name);
    const mayTell =
      hub.spendPresenceEvent(this.#name) &&
      caller.spend("fanOutBytes", heard) &&
      hub.spendFanOut(this.#name, heard);
    if (!mayTell) return TOO_MANY_PRESENCES;
    const more = bytes - this.#bytes;
    if (!this.#socket.presenceBytes.reserve(more)) return "presence_limit_reached";
    const tracked = hub.track(this.#name, this.#holder, this.#key, meta);
    if (tracked === "full") {
      this.#socket.presenceBytes.release(more);
      return "presence_limit_reached";
    }
    this.#bytes = bytes;
    if (tracked === "changed") relay.tracked(this.#name, this.#holder, this.#key, meta);
    return undefined;
  }

  untrack(): void {
    const { hub, relay } = this.#parts;
    this.#socket.presenceBytes.release(this.#bytes);
    this.#bytes = 0;
    if (hub.untrack(this.#name, this.#holder)) relay.untracked(this.#name, this.#holder);
  }
}
