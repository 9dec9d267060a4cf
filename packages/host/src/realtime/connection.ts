import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { SocketOrigin } from "./admission.ts";
import { ArrivingBytes } from "./arriving-bytes.ts";
import { ByteBudget } from "./byte-budget.ts";
import { JoinRefused, type ChannelSocket } from "./channels/channel-socket.ts";
import { Channel } from "./channels/channel.ts";
import { readJoin } from "./channels/join-request.ts";
import { isBusy } from "./busy.ts";
import {
  decodeFrame,
  encodeFrame,
  MalformedFrame,
  type Frame,
  type Message,
  type ProtocolVersion,
} from "./frames.ts";
import type { Identity } from "./identity.ts";
import {
  channelOverheadBytes,
  modestMessageBytes,
  modestMessagesPerSecond,
  type SenderLimits,
} from "./limits.ts";
import { Tray } from "./outbox.ts";
import type { RealtimeParts } from "./parts.ts";
import type { Address, Caller } from "./senders.ts";
import { RatePerSecond } from "./token-bucket.ts";
import { TurnQueue } from "./turn-queue.ts";

/** Codes a socket is closed with; see RFC 6455. */
const CLOSE = { going: 1001, malformed: 1007, policy: 1008, failed: 1011 } as const;
/** The waiting bytes above which a reader does without broadcasts while many are behind. */
const CROWDED_BYTES = 64 * 1024;

/** One socket and the channels joined over it. */
export class Connection implements ChannelSocket {
  readonly version: ProtocolVersion;
  readonly openedAt: number;
  readonly joinBytes: ByteBudget;
  readonly presenceBytes: ByteBudget;
  readonly #parts: RealtimeParts;
  readonly #socket: WebSocket;
  /** What `#socket` speaks over; frames for many are written here, made once for all of them. */
  readonly #wire: Duplex;
  readonly #tray: Tray;
  readonly #apiKey: string;
  readonly #address: Address;
  readonly #channels = new Map<string, Channel>();
  readonly #turns = new TurnQueue();
  readonly #arriving: ArrivingBytes;
  readonly #joins: RatePerSecond;
  readonly #messages: RatePerSecond;
  /** Accounts that have joined something over this socket. */
  readonly #accounts = new Set<string>();
  #limits: SenderLimits;
  #heardAt: number;

  constructor(parts: RealtimeParts, socket: WebSocket, origin: SocketOrigin) {
    const { context, limits } = parts;
    this.#parts = parts;
    this.#socket = socket;
    this.#wire = origin.wire;
    this.#tray = new Tray(origin.wire, () => this.#noteUnsent());
    this.version = origin.version;
    this.#apiKey = origin.apiKey;
    this.#address = origin.address;
    this.#limits = origin.isService ? limits.member : limits.stranger;
    this.#joins = new RatePerSecond(limits.joinsPerSecond);
    this.#messages = new RatePerSecond(limits.messagesPerSecond);
    this.joinBytes = new ByteBudget(() => this.#limits.joinBytesPerSocket, parts.joinBytes);
    this.presenceBytes = new ByteBudget(() => this.#limits.presenceBytesPerSocket);
    this.openedAt = context.now();
    this.#heardAt = this.openedAt;
    if (!origin.isService) parts.strangers.add(this);
    this.#arriving = new ArrivingBytes(origin.wire, socket, context.now, () =>
      parts.waiting.note(this),
    );
    socket.on("message", (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    socket.on("error", () => socket.terminate());
    socket.on("ping", () => {
      if (!this.#messages.allows(context.now())) this.#complain();
    });
    origin.wire.on("drain", () => this.#noteUnsent());
    socket.on("close", () => this.#closed());
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get unsentBytes(): number {
    return this.#wire.writableLength;
  }

  get waitingBytes(): number {
    return this.#arriving.bytes + this.#turns.bytes;
  }

  send(frame: Frame): void {
    if (this.isOpen) this.#parts.outbox.add(this.#tray, frame);
  }

  sendEphemeral(frame: Frame): boolean {
    const { limits, unsent, outbox } = this.#parts;
    const behind = this.#wire.writableLength;
    const most = unsent.isCrowded ? CROWDED_BYTES : limits.unsentEphemeralBytes;
    if (behind > 0 && behind + frame.bytes.length > most) return false;
    if (this.isOpen) outbox.add(this.#tray, frame);
    return true;
  }

  /** Whoever does not read comes back and looks; holding everything for it would hold up the process. */
  #noteUnsent(): void {
    if (this.unsentBytes > this.#parts.limits.unsentBytes) this.terminate();
    else this.#parts.unsent.note(this);
  }

  async identify(token: string | undefined): Promise<Identity> {
    return await this.#parts.identities.of(this.#apiKey, token);
  }

  admit(identity: Identity): Caller {
    const { account } = identity.identity;
    const { limits, senders, strangers } = this.#parts;
    if (account !== undefined && !this.#accounts.has(account)) {
      const sender = senders.account(account);
      if (sender.sockets >= limits.socketsPerAccount) {
        throw new JoinRefused("ConnectionRateLimitReached: Too many connected users");
      }
      if (this.isOpen) {
        sender.sockets += 1;
        this.#accounts.add(account);
        strangers.delete(this);
      }
      this.#limits = limits.member;
    }
    return senders.caller(identity, this.#address);
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

  /** Ends what has run out: channels with their tokens, the socket when nothing whole was heard of it. */
  sweep(): void {
    const { context, limits, unsent } = this.#parts;
    unsent.note(this);
    for (const channel of this.#channels.values()) channel.sweep(this.unsentBytes === 0);
    const isSilent = context.now() - this.#heardAt > limits.idleMs;
    if (isSilent || this.#arriving.ageMs > limits.messageMs) this.terminate();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #closed(): void {
    const { senders, strangers, unsent, waiting } = this.#parts;
    this.#turns.clear();
    for (const channel of this.#channels.values()) channel.close();
    for (const account of this.#accounts) senders.account(account).sockets -= 1;
    this.#accounts.clear();
    strangers.delete(this);
    unsent.forget(this);
    waiting.forget(this);
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#arriving.arrived();
    this.#heardAt = this.#parts.context.now();
    // The rest of what arrived together with the frame that ended the socket.
    if (!this.isOpen) return;
    let message: Message;
    try {
      message = decodeFrame(data, isBinary, this.version);
    } catch (error) {
      if (!(error instanceof MalformedFrame)) throw error;
      this.#hangUp(CLOSE.malformed, error.message);
      return;
    }
    if (!this.#mayReceive(data.length)) {
      const channel = this.#channels.get(message.topic);
      if (channel) channel.shutDown("Too many messages per second");
      else this.#complain();
      return;
    }
    if (message.topic === "phoenix") {
      this.#reply(message, "ok", "{}");
      return;
    }
    this.#turns.add(message.topic, {
      bytes: data.length,
      work: async () => await this.#take(message, data.length),
    });
    const isTooMuch =
      this.#turns.messages > this.#parts.limits.waitingMessagesPerSocket ||
      this.#turns.bytes > this.#limits.waitingBytesPerSocket + data.length;
    if (isTooMuch) this.#hangUp(CLOSE.policy, "Too many messages per second");
    else this.#parts.waiting.note(this);
  }

  /** While others of the same address send too much, those who send little are let be. */
  #mayReceive(bytes: number): boolean {
    const isAllowed = this.#messages.allows(this.#heardAt);
    const mayCount = this.#address.messages.take(1, this.#heardAt);
    const mayWeigh = this.#address.receivedBytes.take(bytes, this.#heardAt);
    if (!mayCount && this.#messages.count > modestMessagesPerSecond) return false;
    return isAllowed && (mayWeigh || bytes <= modestMessageBytes);
  }

  /** Joins have a limit of their own; whatever else comes in such numbers is no client of ours. */
  #complain(): void {
    if (!this.#messages.isFarOver) return;
    this.#hangUp(CLOSE.policy, "Too many messages per second");
  }

  async #take(message: Message, bytes: number): Promise<void> {
    try {
      // What waits when its socket closes is of interest to nobody.
      if (this.isOpen) await this.#handle(message, bytes);
    } catch (error) {
      const { log } = this.#parts.context;
      const { event } = message;
      if (isBusy(error))
        log.warn({ err: error, event }, "a socket message found the database busy");
      else log.error({ err: error, event }, "a socket message failed");
      this.#reply(message, "error", '{"reason":"Unknown Error on Channel"}');
    } finally {
      if (this.isOpen) this.#parts.waiting.note(this);
    }
  }

  async #handle(message: Message, bytes: number): Promise<void> {
    if (message.event === "phx_join") {
      await this.#join(message, bytes);
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
      const fault = channel.changePresence(
        String(payload["event"]).toLowerCase(),
        payload["payload"] ?? {},
      );
      if (fault === undefined) this.#reply(message, "ok", "{}");
      else this.#reply(message, "error", JSON.stringify({ reason: fault }));
    }
  }

  async #join(message: Message, bytes: number): Promise<void> {
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
        channel = await Channel.join(this.#parts, this, message, {
          ...request,
          // The claims of its token are kept as well.
          heldBytes: 2 * bytes + channelOverheadBytes,
        });
        this.#channels.set(message.topic, channel);
        const { response, later } = await channel.start();
        this.#reply(message, "ok", response);
        if (!this.isOpen) channel.close();
        await later();
      } catch (error) {
        channel?.close();
        if (isBusy(error)) {
          // Clients try again; nobody has to be told but who looks for the cause.
          this.#parts.context.log.debug({ err: error }, "a join found the database busy");
          refuse("ClientJoinRateLimitReached: Too many joins per second");
          return;
        }
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
