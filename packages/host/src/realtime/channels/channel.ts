import { admitBroadcast } from "../broadcast-limits.ts";
import { InvalidToken } from "../../keys.ts";
import { entryId } from "../changes/subscribe.ts";
import type { Subscriber } from "../changes/subscriptions.ts";
import type { SubscriberIdentity } from "../changes/sight-sql.ts";
import { isBusy } from "../busy.ts";
import { QueueFull } from "../fair-queue.ts";
import { encodeFrame, type Frame, type Message, type ProtocolVersion } from "../frames.ts";
import type { Identity } from "../identity.ts";
import type { RealtimeParts } from "../parts.ts";
import type { Broadcast, Member, TopicName } from "./hub.ts";
import { ChannelChanges } from "./channel-changes.ts";
import { ChannelPresence, endsOfPresence } from "./channel-presence.ts";
import { EXPIRED, JoinRefused, type ChannelSocket } from "./channel-socket.ts";
import { endOfRecheck, endOfRefresh, TOO_MANY_JOINS, TOO_MANY_MESSAGES } from "./end-of-refresh.ts";
import type { Join, JoinRequest } from "./join-request.ts";
import { EVERYTHING, type Permissions } from "./permissions.ts";
import { readReplay } from "./replay.ts";
import { askRights, filterPenaltyMs } from "./rights.ts";
import type { Caller } from "../senders.ts";

/** One topic joined by one socket: its rights, its subscriptions, its presence. */
export class Channel implements Member, Subscriber {
  readonly fullTopic: string;
  readonly version: ProtocolVersion;
  readonly joinRef: string | null;
  readonly #parts: RealtimeParts;
  readonly #socket: ChannelSocket;
  readonly #request: Join;
  readonly #name: TopicName;
  readonly #presence: ChannelPresence;
  readonly #changes: ChannelChanges;
  #identity: Identity;
  #caller: Caller;
  #heldBytes = 0;
  #permissions: Permissions = EVERYTHING;
  #hearsPresence: boolean;
  #askedAt = 0;
  #isClosed = false;

  private constructor(
    parts: RealtimeParts,
    socket: ChannelSocket,
    message: Message,
    request: Join,
    identity: Identity,
    caller: Caller,
  ) {
    this.#parts = parts;
    this.#socket = socket;
    this.#request = request;
    this.#identity = identity;
    this.#caller = caller;
    this.#hearsPresence = request.hearsPresence;
    this.#name = { topic: message.topic.slice("realtime:".length), isPrivate: request.isPrivate };
    this.#changes = new ChannelChanges(parts, socket);
    this.fullTopic = message.topic;
    this.#presence = new ChannelPresence(parts, socket, this.#name, request.presenceKey);
    this.joinRef = message.joinRef;
    this.version = socket.version;
  }

  /**
   * Lets a client into a topic: rights first, then changes, then everything else.
   * @throws {JoinRefused}
   */
  static async join(
    parts: RealtimeParts,
    socket: ChannelSocket,
    message: Message,
    request: Join,
  ): Promise<Channel> {
    const identity = await socket.identify(request.token).catch((error: unknown) => {
      if (!(error instanceof InvalidToken)) throw error;
      const reason = error.message === "JWT expired" ? EXPIRED : error.message;
      throw new JoinRefused(`InvalidJWTToken: ${reason}`);
    });
    const caller = socket.admit(identity);
    if (!caller.spend("joins", 1)) throw new JoinRefused(TOO_MANY_JOINS);
    if (!socket.joinBytes.reserve(request.heldBytes)) {
      throw new JoinRefused("ChannelRateLimitReached: Too many channels");
    }
    const channel = new Channel(parts, socket, message, request, identity, caller);
    channel.#heldBytes = request.heldBytes;
    try {
      await channel.#authorise(identity);
    } catch (error) {
      channel.close();
      if (error instanceof InvalidToken) throw new JoinRefused(`Unauthorized: ${error.message}`);
      throw error;
    }
    return channel;
  }

  get viewer(): SubscriberIdentity {
    return this.#identity.identity;
  }

  get hearsBroadcasts(): boolean {
    return this.#permissions.broadcastRead;
  }

  get hearsPresence(): boolean {
    return this.#hearsPresence && this.#permissions.presenceRead;
  }

  get askedFilters(): readonly string[] {
    return this.#changes.askedFilters;
  }

  /**
   * Begins to listen. Whatever is committed after the reply to the join will be told.
   * @returns the response of the join
   * @throws {JoinRefused}
   */
  async start(): Promise<{ response: string; later: () => Promise<void> }> {
    const { feed, hub } = this.#parts;
    const { changes, replay, waitsForChanges } = this.#request;
    if (replay && !this.#name.isPrivate) {
      throw new JoinRefused("UnableToReplayMessages: Replay is not allowed for public channels");
    }
    let isReading = true;
    await feed.open().catch((error: unknown) => {
      this.#parts.context.log.warn({ err: error }, "the write-ahead log cannot be read");
      isReading = false;
    });
    if (!isReading && changes.length > 0) {
      throw new JoinRefused("InitializingProjectConnection: Connecting to the project database");
    }
    const fault = await this.#changes.open(this, changes, {
      caller: this.#caller,
      inTurn: async (work) => await this.#inTurn(work),
    });
    if (fault !== undefined && waitsForChanges) {
      throw new JoinRefused(`RealtimeDisabledForConfiguration: ${fault}`);
    }
    if (this.#isClosed) throw new JoinRefused("The channel was left.");
    feed.subscriptions.add(this, this.#changes.subscriptions);
    hub.join(this.#name, this);
    const ids = changes.map((params) => ({ ...params, id: entryId(params) }));
    return {
      response: JSON.stringify({ postgres_changes: ids }),
      later: async () => {
        if (changes.length > 0) {
          const status = fault === undefined ? "ok" : "error";
          this.#tell("postgres_changes", status, fault ?? "Subscribed to PostgreSQL");
        }
        if (this.#request.wantsReadiness) {
          const state = isReading ? "established" : "was not established in time";
          this.#tell("system", isReading ? "ok" : "error", `Replication connection ${state}`);
        }
        if (this.hearsPresence) this.#presence.sendState();
        if (replay && this.hearsBroadcasts) await this.#replay(replay);
      },
    };
  }

  async #replay(wanted: NonNullable<JoinRequest["replay"]>): Promise<void> {
    const { joinPool } = this.#parts;
    try {
      const read = async () => await readReplay(joinPool, this.#name.topic, wanted);
      const stored = await this.#inTurn(read);
      for (const json of stored) this.#socket.sendEphemeral(this.#frame("broadcast", json));
    } catch (error) {
      if (!isBusy(error)) throw error;
      // The client joins again and asks again.
      this.interrupted();
    }
  }

  /** Nothing is told any more once the token has ended, however late the end is noticed. */
  send(frame: Frame): void {
    this.endIfExpired();
    this.#write(frame);
  }

  #write(frame: Frame): void {
    if (!this.#isClosed) this.#socket.send(frame);
  }

  endIfExpired(): void {
    const { expiresAt = Infinity } = this.#identity;
    if (!this.#isClosed && this.#parts.context.now() >= expiresAt) this.shutDown(EXPIRED);
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

  push(event: string, payload: string): void {
    this.#write(this.#frame(event, payload));
  }

  #frame(event: string, payload: string): Frame {
    const message = { joinRef: null, ref: null, topic: this.fullTopic, event };
    return encodeFrame(this.version, message, payload);
  }

  /** @returns what went wrong, or undefined */
  broadcast(broadcast: Broadcast): string | undefined {
    if (!this.#permissions.broadcastWrite) return "unauthorized";
    const answer = admitBroadcast(this.#parts.hub, this.#caller, this.#name, broadcast);
    if (answer === "caller_rate_limited") {
      this.shutDown(TOO_MANY_MESSAGES);
      return TOO_MANY_MESSAGES;
    }
    if (answer === "topic_rate_limited") return TOO_MANY_MESSAGES;
    if (answer !== "ok") return answer;
    this.#parts.hub.broadcast(this.#name, broadcast, this.#request.hearsItself ? undefined : this);
    this.#parts.relay.broadcast(this.#name, broadcast);
    return undefined;
  }

  get acknowledges(): boolean {
    return this.#request.acknowledges;
  }

  /**
   * Tracks or untracks.
   * @returns what went wrong, or undefined
   */
  changePresence(action: string, payload: unknown): string | undefined {
    const mayTrack = this.#permissions.presenceWrite;
    const fault = this.#presence.change(action, payload, { caller: this.#caller, mayTrack });
    const words = fault === undefined ? undefined : endsOfPresence[fault];
    if (words !== undefined) this.shutDown(words);
    if (fault === undefined && action === "track" && !this.#hearsPresence) {
      this.#hearsPresence = true;
      if (this.hearsPresence) this.#presence.sendState();
    }
    return fault;
  }

  /** A filter of this channel took too long; its caller may try no other for a while. */
  filterLeftOut(): void {
    this.#caller.forbid("filterTrials", filterPenaltyMs);
  }

  /** Takes over a refreshed token; rights are asked anew, and lost ones end the channel. */
  async refresh(token: string): Promise<void> {
    try {
      const identity = await this.#socket.identify(token);
      if (this.#isClosed) return;
      const caller = this.#socket.admit(identity);
      // Asking the policies costs as much as at a join.
      if (this.#name.isPrivate && !caller.spend("joins", 1)) throw new QueueFull(TOO_MANY_JOINS);
      await this.#authorise(identity);
      if (this.#isClosed) return;
      this.#identity = identity;
      this.#caller = caller;
    } catch (error) {
      const reason = endOfRefresh(error);
      if (reason === undefined) this.interrupted();
      else this.shutDown(reason);
    }
  }

  /** True when the channel is held by this session, or by this account where no session is given. */
  isHeldBy({ sessionId, account }: { sessionId?: string; account?: string }): boolean {
    const { identity, sessionId: own } = this.#identity;
    return sessionId === undefined ? identity.subject === account : own === sessionId;
  }

  /** Makes the next recheck ask, however recent the last answer is. */
  forgetAnswer(): void {
    this.#askedAt = 0;
  }

  /** Asks about session and policies again once the last answer is old: a right may be lost without a new token. */
  async recheck(): Promise<void> {
    const { context, limits } = this.#parts;
    // The end of a session is announced; it is asked about again only where announcements may have been missed.
    const isForced = this.#askedAt === 0;
    if (this.#isClosed || (!isForced && !this.#name.isPrivate)) return;
    if (context.now() - this.#askedAt < limits.recheckMs) return;
    const identity = this.#identity;
    try {
      await this.#authorise(identity, isForced);
    } catch (error) {
      const reason = endOfRecheck(error);
      // A token that came meanwhile has had its own answer.
      if (reason !== undefined && identity === this.#identity) this.shutDown(reason);
    }
  }

  /** Ends the channel from this side; the client is told why and does not come back by itself. */
  shutDown(reason: string): void {
    this.#tell("system", "error", reason);
    this.#end("phx_close");
  }

  /** Changes may have been missed: the client joins again and closes the gap. */
  interrupted(): void {
    this.#end("phx_error");
  }

  /** Lets go of everything; says nothing to the client. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts.feed.subscriptions.remove(this);
    this.#parts.hub.leave(this.#name, this);
    this.#presence.untrack();
    this.#socket.joinBytes.release(this.#heldBytes);
    this.#heldBytes = 0;
    this.#changes.close();
    this.#socket.forget(this);
  }

  #end(event: "phx_close" | "phx_error"): void {
    const { joinRef, fullTopic: topic } = this;
    this.#write(encodeFrame(this.version, { joinRef, ref: joinRef, topic, event }, "{}"));
    this.close();
  }

  async #authorise(identity: Identity, asksSession = true): Promise<void> {
    this.#askedAt = this.#parts.context.now();
    const permissions = await askRights(this.#parts, this.#name, identity, {
      asksSession,
      inTurn: async (work) => await this.#inTurn(work),
    });
    this.#permissions = permissions;
    if (!permissions.presenceWrite) this.#presence.untrack();
  }

  /** Whoever asks the database waits for its turn. @throws {QueueFull} */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return await this.#parts.joinQueue.run(this.#caller, async () => {
      if (!this.#socket.isOpen || this.#isClosed) throw new JoinRefused("The channel was left.");
      return await work();
    });
  }

  #tell(extension: string, status: string, message: string): void {
    const channel = this.#name.topic;
    this.push("system", JSON.stringify({ extension, status, message, channel }));
  }
}
