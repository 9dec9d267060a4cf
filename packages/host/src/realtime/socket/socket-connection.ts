// Handles one client's WebSocket: passes its messages to channels and enforces the limits of a socket.

import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { AcceptedUpgrade } from "../server/upgrade-gate.ts";
import type { OpenSocket } from "./open-socket.ts";
import { PartialMessage } from "./partial-message.ts";
import { ByteBudget } from "../limits/byte-budget.ts";
import { JoinError, type ChannelSocket } from "../channels/channel-socket.ts";
import { Channel } from "../channels/channel.ts";
import { parseJoinRequest } from "../channels/join-request.ts";
import { isBusy } from "../limits/busy-errors.ts";
import { closeCodes, decodeFrame, encodeFrame, MalformedFrameError, peekTopic } from "./frames.ts";
import type { Frame, SocketMessage, ProtocolVersion } from "./frames.ts";
import type { VerifiedToken } from "../channel-authorization/token-verifier.ts";
import {
  channelOverheadBytes,
  crowdedBufferBytes,
  largeMessageDelayMs,
  modestMessageBytes,
  modestMessagesPerSecond,
  type CallerLimits,
} from "../limits/realtime-limits.ts";
import { SocketBuffer } from "./write-batcher.ts";
import type { RealtimeServices } from "../server/realtime-services.ts";
import type { AddressUsage, RealtimeCaller } from "../limits/caller-registry.ts";
import { RatePerSecond, TokenBucket } from "../limits/token-bucket.ts";
import { TopicQueues } from "./topic-queues.ts";

/** One socket and the channels joined over it. */
export class SocketConnection implements ChannelSocket, OpenSocket {
  readonly version: ProtocolVersion;
  readonly openedAt: number;
  readonly joinBytes: ByteBudget;
  readonly presenceBytes: ByteBudget;
  readonly #services: RealtimeServices;
  readonly #socket: WebSocket;
  /** The stream below `#socket`. Encoded frames are written to it directly, so that sockets can share them. */
  readonly #wire: Duplex;
  readonly #buffer: SocketBuffer;
  readonly #apiKey: string;
  readonly #address: AddressUsage;
  readonly #channels = new Map<string, Channel>();
  readonly #topicQueues = new TopicQueues();
  readonly #partialMessage: PartialMessage;
  readonly #joins: RatePerSecond;
  readonly #messages: RatePerSecond;
  readonly #receivedBytes: TokenBucket;
  /** Accounts that have joined a channel over this socket. */
  readonly #accounts = new Set<string>();
  #limits: CallerLimits;
  #lastReceivedAt: number;

  constructor(services: RealtimeServices, socket: WebSocket, origin: AcceptedUpgrade) {
    const { context, limits } = services;
    this.#services = services;
    this.#socket = socket;
    this.#wire = origin.wire;
    this.#buffer = new SocketBuffer(origin.wire, () => this.#checkSendBuffer());
    this.version = origin.version;
    this.#apiKey = origin.apiKey;
    this.#address = origin.address;
    this.#limits = origin.isService ? limits.authenticated : limits.anon;
    this.#joins = new RatePerSecond(limits.joinsPerSecond);
    this.#messages = new RatePerSecond(limits.messagesPerSecond);
    this.#receivedBytes = new TokenBucket(limits.receivedBytesPerSecond);
    this.joinBytes = new ByteBudget(() => this.#limits.joinBytesPerSocket, services.joinBytes);
    this.presenceBytes = new ByteBudget(() => this.#limits.presenceBytesPerSocket);
    this.openedAt = context.now();
    this.#lastReceivedAt = this.openedAt;
    if (!origin.isService) services.anonSockets.add(this);
    this.#partialMessage = new PartialMessage(origin.wire, socket, context.now, () =>
      services.receiveBuffers.update(this),
    );
    socket.on("message", (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
    socket.on("error", () => socket.terminate());
    socket.on("ping", () => {
      if (!this.#messages.allows(context.now())) this.#closeIfFlooding();
    });
    origin.wire.on("drain", () => this.#checkSendBuffer());
    socket.on("close", () => this.#handleClose());
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get unsentBytes(): number {
    return this.#wire.writableLength;
  }

  get waitingBytes(): number {
    return this.#partialMessage.bytes + this.#topicQueues.bytes;
  }

  send(frame: Frame): void {
    if (this.isOpen) this.#services.writeBatcher.add(this.#buffer, frame);
  }

  sendEphemeral(frame: Frame): boolean {
    const { limits, sendBuffers, writeBatcher } = this.#services;
    const behind = this.#wire.writableLength;
    const most = sendBuffers.isCrowded ? crowdedBufferBytes : limits.unsentDroppableBytes;
    if (behind > 0 && behind + frame.bytes.length > most) return false;
    if (this.isOpen) writeBatcher.add(this.#buffer, frame);
    return true;
  }

  /** Cuts a client that does not read. It reconnects and reads what it missed; buffering it would fill the memory. */
  #checkSendBuffer(): void {
    if (this.unsentBytes > this.#services.limits.unsentBytes) this.terminate();
    else this.#services.sendBuffers.update(this);
  }

  async verifyToken(token: string | undefined): Promise<VerifiedToken> {
    return await this.#services.tokenVerifier.verify(this.#apiKey, token);
  }

  addCaller(auth: VerifiedToken): RealtimeCaller {
    const { account } = auth.identity;
    const { limits, callers, anonSockets } = this.#services;
    if (account !== undefined && !this.#accounts.has(account)) {
      const sender = callers.account(account);
      if (sender.sockets >= limits.socketsPerAccount) {
        throw new JoinError("ConnectionRateLimitReached: Too many connected users");
      }
      if (this.isOpen) {
        sender.sockets += 1;
        this.#accounts.add(account);
        anonSockets.delete(this);
      }
      this.#limits = limits.authenticated;
    }
    return callers.caller(auth, this.#address);
  }

  removeChannel(channel: { readonly fullTopic: string }): void {
    if (this.#channels.get(channel.fullTopic) === channel) this.#channels.delete(channel.fullTopic);
  }

  /** Closes the socket because the host is stopping. Clients reconnect. */
  goAway(): void {
    this.#closeSocket(closeCodes.going, "The host is stopping.");
  }

  /** Flushes the buffer first, because nothing may follow the closing frame. */
  #closeSocket(code: number, reason: string): void {
    this.#services.writeBatcher.flush(this.#buffer);
    this.#socket.close(code, reason);
  }

  get channels(): readonly Channel[] {
    return [...this.#channels.values()];
  }

  /** Ends channels whose token has expired, and the socket when it has been silent for too long. */
  sweep(): void {
    const { context, limits, sendBuffers } = this.#services;
    sendBuffers.update(this);
    for (const channel of this.#channels.values()) channel.sweep(this.unsentBytes === 0);
    const isSilent = context.now() - this.#lastReceivedAt > limits.idleMs;
    if (isSilent || this.#partialMessage.ageMs > limits.messageMs) this.terminate();
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #handleClose(): void {
    const { callers, anonSockets, sendBuffers, receiveBuffers } = this.#services;
    this.#topicQueues.clear();
    for (const channel of this.#channels.values()) channel.close();
    for (const account of this.#accounts) callers.account(account).sockets -= 1;
    this.#accounts.clear();
    anonSockets.delete(this);
    sendBuffers.remove(this);
    receiveBuffers.remove(this);
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#partialMessage.complete();
    this.#lastReceivedAt = this.#services.context.now();
    // More frames may follow in the chunk that closed the socket.
    if (!this.isOpen) return;
    // Before decoding: a frame over the limits must cost no more than its bytes.
    if (!this.#isWithinMessageLimits(data.length)) {
      if (data.length > modestMessageBytes) this.#partialMessage.delayNext(largeMessageDelayMs);
      const channel = this.#channels.get(peekTopic(data, isBinary, this.version) ?? "");
      if (channel) channel.closeWith("Too many messages per second");
      else this.#closeIfFlooding();
      return;
    }
    let message: SocketMessage;
    try {
      message = decodeFrame(data, isBinary, this.version);
    } catch (error) {
      if (!(error instanceof MalformedFrameError)) throw error;
      this.#closeSocket(closeCodes.malformed, error.message);
      return;
    }
    if (message.topic === "phoenix") {
      this.#reply(message, "ok", "{}");
      return;
    }
    this.#topicQueues.add(message.topic, {
      bytes: data.length,
      work: async () => await this.#handleSafely(message, data.length),
    });
    const isTooMuch =
      this.#topicQueues.messages > this.#services.limits.waitingMessagesPerSocket ||
      this.#topicQueues.bytes > this.#limits.waitingBytesPerSocket + data.length;
    if (isTooMuch) this.#closeSocket(closeCodes.policy, "Too many messages per second");
    else this.#services.receiveBuffers.update(this);
  }

  /** While an address is over its limit, its sockets that send little are not limited. */
  #isWithinMessageLimits(bytes: number): boolean {
    const isAllowed = this.#messages.allows(this.#lastReceivedAt);
    const mayCount = this.#address.messages.take(1, this.#lastReceivedAt);
    const mayWeigh = this.#address.receivedBytes.take(bytes, this.#lastReceivedAt);
    if (!mayCount && this.#messages.count > modestMessagesPerSecond) return false;
    if (bytes <= modestMessageBytes) return isAllowed;
    return isAllowed && mayWeigh && this.#receivedBytes.take(bytes, this.#lastReceivedAt);
  }

  /** Closes a socket that sends far more messages than any client does. */
  #closeIfFlooding(): void {
    if (!this.#messages.isFarOver) return;
    this.#closeSocket(closeCodes.policy, "Too many messages per second");
  }

  async #handleSafely(message: SocketMessage, bytes: number): Promise<void> {
    try {
      // The socket may have closed while the message was queued.
      if (this.isOpen) await this.#handle(message, bytes);
    } catch (error) {
      const { log } = this.#services.context;
      const { event } = message;
      if (isBusy(error))
        log.warn({ err: error, event }, "a socket message found the database busy");
      else log.error({ err: error, event }, "a socket message failed");
      this.#reply(message, "error", '{"reason":"Unknown Error on Channel"}');
    } finally {
      if (this.isOpen) this.#services.receiveBuffers.update(this);
    }
  }

  async #handle(message: SocketMessage, bytes: number): Promise<void> {
    if (message.event === "phx_join") {
      await this.#join(message, bytes);
      return;
    }
    const channel = this.#channels.get(message.topic);
    // Messages for an earlier join of the topic are ignored.
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
    await this.#handleChannelEvent(channel, message);
  }

  async #handleChannelEvent(channel: Channel, message: SocketMessage): Promise<void> {
    const { event, payload, binary } = message;
    if (event === "access_token") {
      const token = payload["access_token"];
      if (typeof token === "string") await channel.refresh(token);
    } else if (event === "broadcast") {
      const error =
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
      if (error !== undefined) this.#reply(message, "error", JSON.stringify({ error: error }));
      else if (channel.sendsAck) this.#reply(message, "ok", "{}");
    } else if (event === "presence") {
      const error = channel.changePresence(
        String(payload["event"]).toLowerCase(),
        payload["payload"] ?? {},
      );
      if (error === undefined) this.#reply(message, "ok", "{}");
      else this.#reply(message, "error", JSON.stringify({ reason: error }));
    }
  }

  async #join(message: SocketMessage, bytes: number): Promise<void> {
    const reject = (reason: string) => this.#reply(message, "error", JSON.stringify({ reason }));
    if (!this.#joins.allows(this.#services.context.now())) {
      reject("ClientJoinRateLimitReached: Too many joins per second");
      this.#closeSocket(closeCodes.policy, "Too many joins per second");
      return;
    }
    // A new join replaces the channel of an earlier one.
    this.#channels.get(message.topic)?.close();
    const request = parseJoinRequest(message.payload);
    if (!/^realtime:./s.test(message.topic)) {
      reject("TopicNameRequired: You must provide a topic name");
    } else if (request === undefined) {
      reject("InvalidJoinPayload: The join payload is not valid");
    } else if (this.#channels.size >= this.#services.limits.channelsPerSocket) {
      reject("ChannelRateLimitReached: Too many channels");
    } else {
      let channel: Channel | undefined;
      try {
        channel = await Channel.join(this.#services, this, message, {
          ...request,
          // Twice, because the claims of the token are kept as well.
          reservedBytes: 2 * bytes + channelOverheadBytes,
        });
        this.#channels.set(message.topic, channel);
        const { response, afterReply } = await channel.start();
        this.#reply(message, "ok", response);
        if (!this.isOpen) channel.close();
        await afterReply();
      } catch (error) {
        channel?.close();
        if (isBusy(error)) {
          // Clients retry, so this is logged for diagnosis only.
          this.#services.context.log.debug({ err: error }, "a join found the database busy");
          reject("ClientJoinRateLimitReached: Too many joins per second");
          return;
        }
        if (!(error instanceof JoinError)) throw error;
        reject(error.message);
      }
    }
  }

  #reply(message: SocketMessage, status: "ok" | "error", response: string): void {
    const { joinRef, ref, topic } = message;
    const payload = `{"status":"${status}","response":${response}}`;
    this.send(encodeFrame(this.version, { joinRef, ref, topic, event: "phx_reply" }, payload));
  }
}
