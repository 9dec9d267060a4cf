// Server side of a Realtime channel: joining, delivery, token refresh, authorization rechecks and closing.

import { checkBroadcastLimits } from "../broadcast/broadcast-limits.ts";
import { InvalidToken } from "../../keys.ts";
import { subscriptionId } from "../postgres-changes/open-subscription.ts";
import type { Subscriber } from "../postgres-changes/subscription.ts";
import type { SubscriberIdentity } from "../channel-authorization/subscriber-identity.ts";
import { isBusy } from "../limits/busy-errors.ts";
import { QueueFullError } from "../limits/fair-queue.ts";
import { encodeFrame } from "../socket/frames.ts";
import type { Frame, SocketMessage, ProtocolVersion } from "../socket/frames.ts";
import type { VerifiedToken } from "../channel-authorization/token-verifier.ts";
import type { RealtimeServices } from "../server/realtime-services.ts";
import { admitJoin } from "./admit-join.ts";
import type { Broadcast, TopicMember, TopicName } from "./topic-registry.ts";
import { ChannelSubscriptions } from "./channel-subscriptions.ts";
import { ChannelPresence, presenceCloseReasons } from "../presence/channel-presence.ts";
import { tokenExpired, JoinError, notReading, type ChannelSocket } from "./channel-socket.ts";
import {
  recheckCloseReason,
  refreshCloseReason,
  tooManyJoins,
  tooManyMessages,
} from "./channel-close-reason.ts";
import type { JoinOptions, JoinRequest } from "./join-request.ts";
import { allPermissions } from "../channel-authorization/topic-permissions.ts";
import type { TopicPermissions } from "../channel-authorization/topic-permissions.ts";
import { readReplay, replayFrames } from "../broadcast/replay.ts";
import { authorizeTopic, filterPenaltyMs } from "../channel-authorization/authorize-topic.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";

/** One topic joined by one socket: its permissions, subscriptions and presence. */
export class Channel implements TopicMember, Subscriber {
  readonly fullTopic: string;
  readonly version: ProtocolVersion;
  readonly joinRef: string | null;
  readonly #services: RealtimeServices;
  readonly #socket: ChannelSocket;
  readonly #request: JoinOptions;
  readonly #topic: TopicName;
  readonly #presence: ChannelPresence;
  readonly #changes: ChannelSubscriptions;
  #auth: VerifiedToken;
  #caller: RealtimeCaller;
  #reservedBytes = 0;
  #permissions: TopicPermissions = allPermissions;
  #receivesPresence: boolean;
  #authorizedAt = 0;
  #isClosed = false;

  private constructor(
    services: RealtimeServices,
    socket: ChannelSocket,
    message: SocketMessage,
    request: JoinOptions,
    auth: VerifiedToken,
    caller: RealtimeCaller,
  ) {
    this.#services = services;
    this.#socket = socket;
    this.#request = request;
    this.#auth = auth;
    this.#caller = caller;
    this.#receivesPresence = request.receivesPresence;
    this.#topic = { topic: message.topic.slice("realtime:".length), isPrivate: request.isPrivate };
    this.#changes = new ChannelSubscriptions(services, socket);
    this.fullTopic = message.topic;
    this.#presence = new ChannelPresence(services, socket, this.#topic, request.presenceKey);
    this.joinRef = message.joinRef;
    this.version = socket.version;
  }

  /**
   * Joins a client to a topic: authorization first, then Postgres changes, then everything else.
   * @throws {JoinError}
   */
  static async join(
    services: RealtimeServices,
    socket: ChannelSocket,
    message: SocketMessage,
    request: JoinOptions,
  ): Promise<Channel> {
    const { auth, caller } = await admitJoin(socket, request);
    const channel = new Channel(services, socket, message, request, auth, caller);
    channel.#reservedBytes = request.reservedBytes;
    try {
      await channel.#authorize(auth);
    } catch (error) {
      channel.close();
      if (error instanceof InvalidToken) throw new JoinError(`Unauthorized: ${error.message}`);
      throw error;
    }
    return channel;
  }

  get identity(): SubscriberIdentity {
    return this.#auth.identity;
  }

  get receivesBroadcasts(): boolean {
    return this.#permissions.broadcastRead;
  }

  get receivesPresence(): boolean {
    return this.#receivesPresence && this.#permissions.presenceRead;
  }

  get databaseFilters(): readonly string[] {
    return this.#changes.databaseFilters;
  }

  /**
   * Starts delivery. Every change committed after the reply is delivered.
   * @returns the response of the join
   * @throws {JoinError}
   */
  async start(): Promise<{ response: string; afterReply: () => Promise<void> }> {
    const { changeFeed, topics } = this.#services;
    const { changes, replay, waitsForSubscriptions } = this.#request;
    if (replay && !this.#topic.isPrivate) {
      throw new JoinError("UnableToReplayMessages: Replay is not allowed for public channels");
    }
    let isReading = true;
    await changeFeed.open().catch((error: unknown) => {
      this.#services.context.log.warn({ err: error }, "the write-ahead log cannot be read");
      isReading = false;
    });
    if (!isReading && changes.length > 0) {
      throw new JoinError(notReading);
    }
    const error = await this.#changes.open(this, changes, {
      caller: this.#caller,
      runQueued: async (work) => await this.#runQueued(work),
    });
    if (error !== undefined && waitsForSubscriptions) {
      throw new JoinError(`RealtimeDisabledForConfiguration: ${error}`);
    }
    // The stream may have been lost meanwhile, and nobody would tell this channel of the gap.
    if (changes.length > 0 && !(await changeFeed.isOpen())) throw new JoinError(notReading);
    if (this.#isClosed) throw new JoinError("The channel was left.");
    changeFeed.subscriptions.add(this, this.#changes.subscriptions);
    topics.join(this.#topic, this);
    const ids = changes.map((params) => ({ ...params, id: subscriptionId(params) }));
    return {
      response: JSON.stringify({ postgres_changes: ids }),
      afterReply: async () => {
        if (changes.length > 0) {
          const status = error === undefined ? "ok" : "error";
          this.#sendSystem("postgres_changes", status, error ?? "Subscribed to PostgreSQL");
        }
        if (this.#request.reportsReplicationReady) {
          const state = isReading ? "established" : "was not established in time";
          this.#sendSystem("system", isReading ? "ok" : "error", `Replication connection ${state}`);
        }
        if (this.receivesPresence) this.#presence.sendState();
        if (replay && this.receivesBroadcasts) await this.#replay(replay);
      },
    };
  }

  async #replay(wanted: NonNullable<JoinRequest["replay"]>): Promise<void> {
    try {
      const read = async () => await readReplay(this.#services.joinPool, this.#topic.topic, wanted);
      const stored = await this.#runQueued(read);
      for (const frame of replayFrames(stored, this)) this.#socket.sendEphemeral(frame);
    } catch (error) {
      if (!isBusy(error)) throw error;
      // The client joins again and repeats the replay.
      this.interrupt();
    }
  }

  /** Sends nothing after the token has expired, even before the sweep notices it. */
  send(frame: Frame): void {
    this.endIfExpired();
    this.#write(frame);
  }

  #write(frame: Frame): void {
    if (!this.#isClosed) this.#socket.send(frame);
  }

  endIfExpired(): void {
    const { expiresAt = Infinity } = this.#auth;
    if (!this.#isClosed && this.#services.context.now() >= expiresAt) this.closeWith(tokenExpired);
  }

  sendBroadcast(frame: Frame): void {
    this.endIfExpired();
    if (!this.#isClosed) this.#socket.sendEphemeral(frame);
  }

  sendPresence(frame: Frame): void {
    this.endIfExpired();
    if (!this.#isClosed) this.#presence.sendDiff(frame);
  }

  /** @param hasCaughtUp whether the client has read everything that was sent */
  sweep(hasCaughtUp: boolean): void {
    this.endIfExpired();
    if (!this.#isClosed && hasCaughtUp) this.#presence.catchUp();
  }

  #frame(event: string, payload: string): Frame {
    const message = { joinRef: null, ref: null, topic: this.fullTopic, event };
    return encodeFrame(this.version, message, payload);
  }

  /** @returns the error, or undefined */
  broadcast(broadcast: Broadcast): string | undefined {
    if (!this.#permissions.broadcastWrite) return "unauthorized";
    const { topics, clusterBus } = this.#services;
    const result = checkBroadcastLimits(topics, this.#caller, this.#topic, broadcast);
    if (result === "caller_rate_limited") {
      this.closeWith(tooManyMessages);
      return tooManyMessages;
    }
    if (result === "topic_rate_limited") return tooManyMessages;
    if (result !== "ok") return result;
    topics.broadcast(
      this.#topic,
      broadcast,
      this.#request.receivesOwnBroadcasts ? undefined : this,
    );
    clusterBus.broadcast(this.#topic, broadcast);
    return undefined;
  }

  get sendsAck(): boolean {
    return this.#request.sendsAck;
  }

  /** Tracks or untracks. @returns the error, or undefined */
  changePresence(action: string, payload: unknown): string | undefined {
    const canTrack = this.#permissions.presenceWrite;
    const error = this.#presence.change(action, payload, { caller: this.#caller, canTrack });
    const reason = error === undefined ? undefined : presenceCloseReasons[error];
    if (reason !== undefined) this.closeWith(reason);
    if (error === undefined && action === "track" && !this.#receivesPresence) {
      this.#receivesPresence = true;
      if (this.receivesPresence) this.#presence.sendState();
    }
    return error;
  }

  /** Blocks new filters of the caller for a while, because one of this channel took too long. */
  onFilterSuspended(): void {
    this.#caller.block("filterValidations", filterPenaltyMs);
  }

  /** Takes over a refreshed token. Permissions are checked again, and losing them closes the channel. */
  async refresh(token: string): Promise<void> {
    try {
      const auth = await this.#socket.verifyToken(token);
      if (this.#isClosed) return;
      const caller = this.#socket.addCaller(auth);
      // Evaluating the policies costs as much as a join.
      if (this.#topic.isPrivate && !caller.spend("joins", 1))
        throw new QueueFullError(tooManyJoins);
      await this.#authorize(auth);
      if (this.#isClosed) return;
      this.#auth = auth;
      this.#caller = caller;
    } catch (error) {
      const reason = refreshCloseReason(error);
      if (reason === undefined) this.interrupt();
      else this.closeWith(reason);
    }
  }

  /** True when the channel belongs to the session, or to the account if no session is given. */
  belongsTo({ sessionId, account }: { sessionId?: string; account?: string }): boolean {
    const { identity, sessionId: own } = this.#auth;
    return sessionId === undefined ? identity.subject === account : own === sessionId;
  }

  /** Makes the next recheck query the database in any case. */
  invalidateAuthorization(): void {
    this.#authorizedAt = 0;
  }

  /** Checks session and permissions again when the last check is old: they can change without a new token. */
  async recheck(): Promise<void> {
    const { context, limits } = this.#services;
    // Ended sessions are notified; they are queried again only if notifications may have been missed.
    const isForced = this.#authorizedAt === 0;
    if (this.#isClosed || (!isForced && !this.#topic.isPrivate)) return;
    if (context.now() - this.#authorizedAt < limits.recheckMs) return;
    const auth = this.#auth;
    try {
      await this.#authorize(auth, isForced);
    } catch (error) {
      const reason = recheckCloseReason(error);
      // A token sent meanwhile has been checked on its own.
      if (reason !== undefined && auth === this.#auth) this.closeWith(reason);
    }
  }

  /** Closes the channel with a reason. The client does not join again by itself. */
  closeWith(reason: string): void {
    this.#sendSystem("system", "error", reason);
    this.#end("phx_close");
  }

  /** Closes the channel with an error, so that the client joins again and reads what it missed. */
  interrupt(): void {
    this.#end("phx_error");
  }

  /** Releases everything without a message to the client. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#services.changeFeed.subscriptions.remove(this);
    this.#services.topics.leave(this.#topic, this);
    this.#presence.untrack();
    this.#socket.joinBytes.release(this.#reservedBytes);
    this.#reservedBytes = 0;
    this.#changes.close();
    this.#socket.removeChannel(this);
  }

  #end(event: "phx_close" | "phx_error"): void {
    const { joinRef, fullTopic: topic } = this;
    this.#write(encodeFrame(this.version, { joinRef, ref: joinRef, topic, event }, "{}"));
    this.close();
  }

  async #authorize(auth: VerifiedToken, checksSession = true): Promise<void> {
    this.#authorizedAt = this.#services.context.now();
    this.#permissions = await authorizeTopic(this.#services, this.#topic, auth, {
      checksSession,
      runQueued: async (work) => await this.#runQueued(work),
    });
    if (!this.#permissions.presenceWrite) this.#presence.untrack();
  }

  /** Runs a database query in its caller's turn. @throws {QueueFullError} */
  async #runQueued<T>(work: () => Promise<T>): Promise<T> {
    return await this.#services.joinQueue.run(this.#caller, async () => {
      if (!this.#socket.isOpen || this.#isClosed) throw new JoinError("The channel was left.");
      return await work();
    });
  }

  #sendSystem(extension: string, status: string, message: string): void {
    const channel = this.#topic.topic;
    this.#write(this.#frame("system", JSON.stringify({ extension, status, message, channel })));
  }
}
