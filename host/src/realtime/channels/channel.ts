import { randomBytes, randomUUID } from "node:crypto";
import { admitBroadcast } from "../broadcast-limits.ts";
import { InvalidToken } from "../../keys.ts";
import {
  entryId,
  openSubscription,
  SubscriptionFault,
  type SubscriptionQuestions,
} from "../changes/subscribe.ts";
import type { Subscriber, Subscription } from "../changes/subscriptions.ts";
import type { Viewer } from "../changes/sight-sql.ts";
import { QueueFull } from "../fair-queue.ts";
import { encodeFrame, type Frame, type Message, type ProtocolVersion } from "../frames.ts";
import type { Identity } from "../identity.ts";
import type { RealtimeParts } from "../parts.ts";
import type { Broadcast, Member, TopicName } from "./hub.ts";
import { JoinRefused, type ChannelSocket } from "./channel-socket.ts";
import type { JoinRequest } from "./join-request.ts";
import { askPermissions, EVERYTHING, type Permissions } from "./permissions.ts";
import { presenceSize } from "./presence.ts";
import { readReplay } from "./replay.ts";
import type { Caller } from "../senders.ts";

const EXPIRED = "Token has expired";
const NO_LONGER = "You do not have permissions to read from this Channel topic anymore";

const TOO_MANY_JOINS = "ClientJoinRateLimitReached: Too many joins per second";
const TOO_MANY_MESSAGES = "Too many messages per second";
const TOO_MANY_PRESENCES = "Too many presence messages per second";
/** How long a caller may try no new filters after one of them took too long. */
const FILTER_PENALTY_MS = 30_000;

/** A join as its client asked for it. */
export interface Join extends JoinRequest {
  /** What the channel is counted as. */
  heldBytes: number;
}

/** One topic joined by one socket: its rights, its subscriptions, its presence. */
export class Channel implements Member, Subscriber {
  readonly fullTopic: string;
  readonly version: ProtocolVersion;
  readonly joinRef: string | null;
  readonly #parts: RealtimeParts;
  readonly #socket: ChannelSocket;
  readonly #request: Join;
  readonly #name: TopicName;
  /** Names this channel to other hosts. */
  readonly #holder = randomUUID();
  #identity: Identity;
  #caller: Caller;
  #heldBytes = 0;
  #presenceBytes = 0;
  #presenceCalls = 0;
  #presenceWindowEndsAt = 0;
  /** True while the client has missed changes of presence; it is told the whole state once it has caught up. */
  #isPresenceStale = false;
  #permissions: Permissions = EVERYTHING;
  #subscriptions: readonly Subscription[] = [];
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
    this.fullTopic = message.topic;
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
      throw error;
    }
    return channel;
  }

  get viewer(): Viewer {
    return this.#identity.viewer;
  }

  get hearsBroadcasts(): boolean {
    return this.#permissions.broadcastRead;
  }

  get hearsPresence(): boolean {
    return this.#hearsPresence && this.#permissions.presenceRead;
  }

  /** Names the filters Postgres is asked about; those of the same name are asked once. */
  get askedFilters(): readonly string[] {
    return this.#subscriptions.flatMap(({ schema, table, filter }) =>
      filter === undefined || filter.isQuick ? [] : [`${schema}\0${table}\0${filter.text}`],
    );
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
    const fault = await this.#subscribe();
    if (fault !== undefined && waitsForChanges) {
      throw new JoinRefused(`RealtimeDisabledForConfiguration: ${fault}`);
    }
    if (this.#isClosed) throw new JoinRefused("The channel was left.");
    feed.subscriptions.add(this, this.#subscriptions);
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
          const [status, words] = isReading
            ? ["ok", "Replication connection established"]
            : ["error", "Replication connection was not established in time"];
          this.#tell("system", status ?? "", words ?? "");
        }
        if (this.hearsPresence) this.#sendPresenceState();
        if (replay && this.hearsBroadcasts) await this.#replay(replay);
      },
    };
  }

  async #replay(wanted: NonNullable<JoinRequest["replay"]>): Promise<void> {
    const { joinPool } = this.#parts;
    try {
      const missed = await this.#inTurn(
        async () => await readReplay(joinPool, this.#name.topic, wanted),
      );
      for (const json of missed) this.#socket.sendEphemeral(this.#frame("broadcast", json));
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
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
    if (!this.#isClosed && this.#isExpired) this.shutDown(EXPIRED);
  }

  get #isExpired(): boolean {
    const { expiresAt } = this.#identity;
    return expiresAt !== undefined && this.#parts.context.now() >= expiresAt;
  }

  sendBroadcast(frame: Frame): void {
    this.endIfExpired();
    if (!this.#isClosed) this.#socket.sendEphemeral(frame);
  }

  sendPresence(frame: Frame): void {
    this.endIfExpired();
    if (this.#isClosed || this.#isPresenceStale) return;
    this.#isPresenceStale = !this.#socket.sendEphemeral(frame);
  }

  #sendPresenceState(): void {
    const frame = this.#frame("presence_state", this.#parts.hub.presenceJson(this.#name));
    this.#isPresenceStale = !this.#socket.sendEphemeral(frame);
  }

  /** @param hasCaughtUp whether the client has read everything that was sent */
  sweep(hasCaughtUp: boolean): void {
    this.endIfExpired();
    if (!this.#isClosed && this.#isPresenceStale && hasCaughtUp) this.#sendPresenceState();
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
    if (!this.#countPresenceCall()) {
      this.shutDown("Client presence rate limit exceeded");
      return "client_rate_limit_exceeded";
    }
    if (action === "untrack") this.untrack();
    return action === "track" ? this.#track(payload) : undefined;
  }

  #countPresenceCall(): boolean {
    const { context, limits } = this.#parts;
    const now = context.now();
    if (now >= this.#presenceWindowEndsAt) {
      this.#presenceWindowEndsAt = now + limits.presenceWindowMs;
      this.#presenceCalls = 0;
    }
    this.#presenceCalls += 1;
    return this.#presenceCalls <= limits.presenceCallsPerWindow;
  }

  #track(payload: unknown): string | undefined {
    if (!this.#permissions.presenceWrite) return "unauthorized";
    if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
      return "invalid_payload";
    }
    const { hub, relay } = this.#parts;
    const { presenceKey } = this.#request;
    const meta = { ref: randomBytes(9).toString("base64url"), json: JSON.stringify(payload) };
    const bytes = presenceSize(presenceKey, meta.json);
    if (bytes > this.#caller.limits.presenceBytes) {
      this.shutDown("Track message size exceeded");
      return "payload_size_exceeded";
    }
    if (!hub.spendPresenceEvent(this.#name)) return TOO_MANY_PRESENCES;
    const heard = bytes * hub.membersOf(this.#name);
    if (!this.#caller.spend("fanOutBytes", heard) || !hub.spendFanOut(this.#name, heard)) {
      return TOO_MANY_PRESENCES;
    }
    const more = bytes - this.#presenceBytes;
    if (!this.#socket.presenceBytes.reserve(more)) return "presence_limit_reached";
    const tracked = hub.track(this.#name, this.#holder, presenceKey, meta);
    if (tracked === "full") {
      this.#socket.presenceBytes.release(more);
      return "presence_limit_reached";
    }
    this.#presenceBytes = bytes;
    if (!this.#hearsPresence) {
      this.#hearsPresence = true;
      if (this.hearsPresence) this.#sendPresenceState();
    }
    if (tracked === "changed") relay.tracked(this.#name, this.#holder, presenceKey, meta);
    return undefined;
  }

  untrack(): void {
    this.#socket.presenceBytes.release(this.#presenceBytes);
    this.#presenceBytes = 0;
    if (this.#parts.hub.untrack(this.#name, this.#holder)) {
      this.#parts.relay.untracked(this.#name, this.#holder);
    }
  }

  /** A filter of this channel took too long; its caller may try no other for a while. */
  filterLeftOut(): void {
    this.#caller.forbid("filterTrials", FILTER_PENALTY_MS);
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
      if (error instanceof QueueFull) {
        this.shutDown(TOO_MANY_MESSAGES);
        return;
      }
      if (error instanceof InvalidToken) {
        this.shutDown(error.message === "JWT expired" ? EXPIRED : error.message);
      } else if (error instanceof JoinRefused) {
        this.shutDown(NO_LONGER);
      } else {
        throw error;
      }
    }
  }

  /** Asks a private channel's policies again once the last answer is old: a right may be lost without a new token. */
  async recheck(): Promise<void> {
    const { context, limits } = this.#parts;
    if (this.#isClosed || context.now() - this.#askedAt < limits.recheckMs) return;
    const identity = this.#identity;
    try {
      await this.#authorise(identity);
    } catch (error) {
      // Too much is asked already; it is asked again later.
      if (error instanceof QueueFull) return;
      if (!(error instanceof JoinRefused)) throw error;
      // A token that came meanwhile has had its own answer.
      if (identity === this.#identity) this.shutDown(NO_LONGER);
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
    this.untrack();
    this.#socket.joinBytes.release(this.#heldBytes);
    this.#heldBytes = 0;
    this.#socket.forget(this);
  }

  #end(event: "phx_close" | "phx_error"): void {
    const { joinRef, fullTopic: topic } = this;
    this.#write(encodeFrame(this.version, { joinRef, ref: joinRef, topic, event }, "{}"));
    this.close();
  }

  async #authorise(identity: Identity): Promise<void> {
    if (!this.#name.isPrivate) return;
    this.#askedAt = this.#parts.context.now();
    const { topic } = this.#name;
    const { context, joinPool } = this.#parts;
    const permissions = await this.#inTurn(
      async () => await askPermissions({ db: joinPool, log: context.log }, topic, identity.viewer),
    );
    if (!permissions.broadcastRead && !permissions.presenceRead) {
      throw new JoinRefused(
        `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
      );
    }
    this.#permissions = permissions;
    if (!permissions.presenceWrite) this.untrack();
  }

  async #subscribe(): Promise<string | undefined> {
    const opened: Subscription[] = [];
    try {
      for (const params of this.#request.changes) {
        opened.push(await openSubscription(this.#questions(), this, params));
      }
    } catch (error) {
      if (error instanceof SubscriptionFault) return error.message;
      throw error;
    }
    this.#subscriptions = opened;
    // Counted in the same breath, so that joins under way at the same time count each other.
    const asked = new Set(this.#socket.channels.flatMap(({ askedFilters }) => askedFilters));
    if (asked.size > this.#parts.limits.askedFiltersPerSocket) {
      throw new JoinRefused("FilterLimitReached: Too many filters other than equality");
    }
    return undefined;
  }

  /** Whoever asks the database waits for its turn. @throws {QueueFull} */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return await this.#parts.joinQueue.run(this.#caller.name, async () => {
      if (!this.#socket.isOpen || this.#isClosed) throw new JoinRefused("The channel was left.");
      return await work();
    });
  }

  #questions(): SubscriptionQuestions {
    return {
      db: this.#parts.joinPool,
      caller: this.#caller,
      trials: this.#parts.filterTrials,
      inTurn: async (work) => await this.#inTurn(work),
    };
  }

  #tell(extension: string, status: string, message: string): void {
    const channel = this.#name.topic;
    this.push("system", JSON.stringify({ extension, status, message, channel }));
  }
}
