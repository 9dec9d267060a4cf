import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { JoinRefused, type ChannelSocket } from "./channels/channel-socket.ts";
import { Channel } from "./channels/channel.ts";
import { readJoin } from "./channels/join-request.ts";
import {
  decodeFrame,
  encodeFrame,
  MalformedFrame,
  type Frame,
  type Message,
  type ProtocolVersion,
} from "./frames.ts";
import type { Identity } from "./identity.ts";
import { RatePerSecond } from "./limits.ts";
import { Tray } from "./outbox.ts";
import type { RealtimeParts } from "./parts.ts";

/** Codes a socket is closed with; see RFC 6455. */
const CLOSE = { going: 1001, malformed: 1007, policy: 1008, failed: 1011 } as const;

/** One socket and the channels joined over it. */
export class Connection implements ChannelSocket {
  readonly version: ProtocolVersion;
  readonly #parts: RealtimeParts;
  readonly #socket: WebSocket;
  /** What `#socket` speaks over; frames for many are written here, made once for all of them. */
  readonly #wire: Duplex;
  readonly #tray: Tray;
  readonly #apiKey: string;
  readonly #channels = new Map<string, Channel>();
  /** Work on each topic, one step after the other, so that a leave never overtakes its join. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #joins: RatePerSecond;
  readonly #messages: RatePerSecond;
  #heardAt: number;

  constructor(
    parts: RealtimeParts,
    socket: WebSocket,
    wire: Duplex,
    version: ProtocolVersion,
    apiKey: string,
  ) {
    this.#parts = parts;
    this.#socket = socket;
    this.#wire = wire;
    this.#tray = new Tray(wire, () => this.#endIfUnread());
    this.version = version;
    this.#apiKey = apiKey;
    this.#joins = new RatePerSecond(parts.limits.joinsPerSecond);
    this.#messages = new RatePerSecond(parts.limits.messagesPerSecond);
    this.#heardAt = parts.context.now();
    socket.on("message", (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      for (const channel of this.#channels.values()) channel.close();
    });
  }

  send(frame: Frame): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#parts.outbox.add(this.#tray, frame);
  }

  /** Whoever does not read comes back and looks; holding everything for it would hold up the process. */
  #endIfUnread(): void {
    if (this.#wire.writableLength > this.#parts.limits.unsentBytes) this.#socket.terminate();
  }

  async identify(token: string | undefined): Promise<Identity> {
    return await this.#parts.identities.of(this.#apiKey, token);
  }

  forget(channel: { readonly fullTopic: string }): void {
    if (this.#channels.get(channel.fullTopic) === channel) this.#channels.delete(channel.fullTopic);
  }

  /** Asks the client to come back: this host is stopping. */
  goAway(): void {
    this.#hangUp(CLOSE.going, "The host is stopping.");
  }

  /** What was sent before is written before: nothing may follow the closing frame. */
  #hangUp(code: number, reason: string): void {
    this.#parts.outbox.flush(this.#tray);
    this.#socket.close(code, reason);
  }

  get channels(): readonly Channel[] {
    return [...this.#channels.values()];
  }

  /** Ends what has run out: channels with their tokens, the socket when nothing was heard of it. */
  sweep(): void {
    for (const channel of this.channels) channel.endIfExpired();
    const { context, limits } = this.#parts;
    if (context.now() - this.#heardAt > limits.idleMs) this.#socket.terminate();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#heardAt = this.#parts.context.now();
    let message: Message;
    try {
      message = decodeFrame(data, isBinary, this.version);
    } catch (error) {
      if (!(error instanceof MalformedFrame)) throw error;
      this.#hangUp(CLOSE.malformed, error.message);
      return;
    }
    if (!this.#messages.allows(this.#heardAt)) {
      const channel = this.#channels.get(message.topic);
      if (channel) channel.shutDown("Too many messages per second");
      else this.#complain();
      return;
    }
    if (message.topic === "phoenix") {
      this.#reply(message, "ok", "{}");
      return;
    }
    const before = this.#turns.get(message.topic);
    const turn = (before ?? Promise.resolve()).then(async () => await this.#handle(message));
    const settled = turn
      .catch((error: unknown) => {
        this.#parts.context.log.error(
          { err: error, event: message.event },
          "a socket message failed",
        );
        this.#reply(message, "error", '{"reason":"Unknown Error on Channel"}');
      })
      .then(() => {
        if (this.#turns.get(message.topic) === settled) this.#turns.delete(message.topic);
      });
    this.#turns.set(message.topic, settled);
  }

  /** Joins have a limit of their own; whatever else comes in such numbers is no client of ours. */
  #complain(): void {
    if (!this.#messages.isFarOver) return;
    this.#hangUp(CLOSE.policy, "Too many messages per second");
  }

  async #handle(message: Message): Promise<void> {
    if (message.event === "phx_join") {
      await this.#join(message);
      return;
    }
    const channel = this.#channels.get(message.topic);
    // What was meant for an earlier join of the topic is of no interest to the present one.
    const isCurrent = message.joinRef === null || channel?.joinRef === message.joinRef;
    if (message.event === "phx_leave") {
      if (isCurrent) channel?.close();
      this.#reply(message, "ok", "{}");
      return;
    }
    if (channel === undefined || !isCurrent) {
      this.#reply(message, "error", '{"reason":"unmatched topic"}');
      return;
    }
    await this.#perform(channel, message);
  }

  async #perform(channel: Channel, message: Message): Promise<void> {
    const { event, payload, binary } = message;
    if (event === "access_token") {
      const token = payload["access_token"];
      if (typeof token === "string") await channel.refresh(token);
    } else if (event === "broadcast") {
      const fault =
        binary === undefined
          ? channel.broadcast({
              event: typeof payload["event"] === "string" ? payload["event"] : "",
              payload: JSON.stringify(payload["payload"] ?? {}),
            })
          : binary.metadata.includes("persist")
            ? "Broadcasts sent over the socket are not stored; use realtime.send in the database."
            : channel.broadcast({
                event: binary.event,
                payload: binary.isJson ? binary.payload.toString("utf8") : binary.payload,
              });
      if (fault !== undefined) this.#reply(message, "error", JSON.stringify({ error: fault }));
      else if (channel.acknowledges) this.#reply(message, "ok", "{}");
    } else if (event === "presence") {
      const action = String(payload["event"]).toLowerCase();
      const fault = action === "track" ? channel.track(payload["payload"] ?? {}) : undefined;
      if (action === "untrack") channel.untrack();
      if (fault === undefined) this.#reply(message, "ok", "{}");
      else this.#reply(message, "error", JSON.stringify({ reason: fault }));
    }
  }

  async #join(message: Message): Promise<void> {
    const refuse = (reason: string) => this.#reply(message, "error", JSON.stringify({ reason }));
    if (!this.#joins.allows(this.#parts.context.now())) {
      refuse("ClientJoinRateLimitReached: Too many joins per second");
      this.#hangUp(CLOSE.policy, "Too many joins per second");
      return;
    }
    // Joining again takes the place of what was joined before.
    this.#channels.get(message.topic)?.close();
    const request = readJoin(message.payload);
    if (!/^realtime:./s.test(message.topic)) {
      refuse("TopicNameRequired: You must provide a topic name");
    } else if (request === undefined) {
      refuse("InvalidJoinPayload: The join payload is not valid");
    } else if (this.#channels.size >= this.#parts.limits.channelsPerSocket) {
      refuse("ChannelRateLimitReached: Too many channels");
    } else {
      let channel: Channel | undefined;
      try {
        channel = await Channel.join(this.#parts, this, message, request);
        this.#channels.set(message.topic, channel);
        const { response, later } = await channel.start();
        this.#reply(message, "ok", response);
        if (this.#socket.readyState !== this.#socket.OPEN) channel.close();
        await later();
      } catch (error) {
        channel?.close();
        if (!(error instanceof JoinRefused)) throw error;
        refuse(error.message);
      }
    }
  }

  #reply(message: Message, status: "ok" | "error", response: string): void {
    const { joinRef, ref, topic } = message;
    const payload = `{"status":"${status}","response":${response}}`;
    this.send(encodeFrame(this.version, { joinRef, ref, topic, event: "phx_reply" }, payload));
  }
}
