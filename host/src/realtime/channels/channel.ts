import { randomBytes, randomUUID } from "node:crypto";
import { InvalidToken } from "../../keys.ts";
import { entryId, openSubscription, SubscriptionFault } from "../changes/subscribe.ts";
import type { Subscriber, Subscription } from "../changes/subscriptions.ts";
import type { Viewer } from "../changes/sight-sql.ts";
import { encodeFrame, type Frame, type Message, type ProtocolVersion } from "../frames.ts";
import type { Identity } from "../identity.ts";
import type { RealtimeParts } from "../parts.ts";
import type { Broadcast, Member, TopicName } from "./hub.ts";
import { JoinRefused, type ChannelSocket } from "./channel-socket.ts";
import type { JoinRequest } from "./join-request.ts";
import { askPermissions, EVERYTHING, type Permissions } from "./permissions.ts";
import { readReplay } from "./replay.ts";

const EXPIRED = "Token has expired";
const NO_LONGER = "You do not have permissions to read from this Channel topic anymore";

/** One topic joined by one socket: its rights, its subscriptions, its presence. */
export class Channel implements Member, Subscriber {
  readonly fullTopic: string;
  readonly version: ProtocolVersion;
  readonly joinRef: string | null;
  readonly #parts: RealtimeParts;
  readonly #socket: ChannelSocket;
  readonly #request: JoinRequest;
  readonly #name: TopicName;
  /** Names this channel to other hosts. */
  readonly #holder = randomUUID();
  #identity: Identity;
  #permissions: Permissions = EVERYTHING;
  #subscriptions: readonly Subscription[] = [];
  #hearsPresence: boolean;
  #askedAt = 0;
  #isClosed = false;

  private constructor(
    parts: RealtimeParts,
    socket: ChannelSocket,
    message: Message,
    request: JoinRequest,
    identity: Identity,
  ) {
    this.#parts = parts;
    this.#socket = socket;
    this.#request = request;
    this.#identity = identity;
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
    request: JoinRequest,
  ): Promise<Channel> {
    const identity = await socket.identify(request.token).catch((error: unknown) => {
      if (!(error instanceof InvalidToken)) throw error;
      const reason = error.message === "JWT expired" ? EXPIRED : error.message;
      throw new JoinRefused(`InvalidJWTToken: ${reason}`);
    });
    const channel = new Channel(parts, socket, message, request, identity);
    await channel.#authorise(identity).catch((error: unknown) => {
      if (!(error instanceof InvalidToken)) throw error;
      throw new JoinRefused(`Unauthorized: ${error.message}`);
    });
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
        if (this.hearsPresence) this.push("presence_state", hub.presenceJson(this.#name));
        if (replay && this.hearsBroadcasts) {
          const { admin } = this.#parts.context.db;
          for (const json of await readReplay(admin, this.#name.topic, replay)) {
            this.push("broadcast", json);
          }
        }
      },
    };
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

  push(event: string, payload: string): void {
    this.#write(
      encodeFrame(
        this.version,
        { joinRef: null, ref: null, topic: this.fullTopic, event },
        payload,
      ),
    );
  }

  /** @returns what went wrong, or undefined */
  broadcast(broadcast: Broadcast): string | undefined {
    if (!this.#permissions.broadcastWrite) return "unauthorized";
    this.#parts.hub.broadcast(this.#name, broadcast, this.#request.hearsItself ? undefined : this);
    this.#parts.relay.broadcast(this.#name, broadcast);
    return undefined;
  }

  get acknowledges(): boolean {
    return this.#request.acknowledges;
  }

  /** @returns what went wrong, or undefined */
  track(payload: unknown): string | undefined {
    if (!this.#permissions.presenceWrite) return "unauthorized";
    if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
      return "invalid_payload";
    }
    const { hub, relay } = this.#parts;
    if (!this.#hearsPresence) {
      this.#hearsPresence = true;
      if (this.hearsPresence) this.push("presence_state", hub.presenceJson(this.#name));
    }
    const meta = { ref: randomBytes(9).toString("base64url"), json: JSON.stringify(payload) };
    const { presenceKey } = this.#request;
    if (hub.track(this.#name, this.#holder, presenceKey, meta)) {
      relay.tracked(this.#name, this.#holder, presenceKey, meta);
    }
    return undefined;
  }

  untrack(): void {
    if (this.#parts.hub.untrack(this.#name, this.#holder)) {
      this.#parts.relay.untracked(this.#name, this.#holder);
    }
  }

  /** Takes over a refreshed token; rights are asked anew, and lost ones end the channel. */
  async refresh(token: string): Promise<void> {
    try {
      const identity = await this.#socket.identify(token);
      if (this.#isClosed) return;
      await this.#authorise(identity);
      if (!this.#isClosed) this.#identity = identity;
    } catch (error) {
      if (error instanceof InvalidToken) {
        this.shutDown(error.message === "JWT expired" ? EXPIRED : error.message);
      } else if (error instanceof JoinRefused) {
        this.shutDown(NO_LONGER);
      } else {
        throw error;
      }
    }
  }

  /** True when the channel is held by this session, or by this account where no session is given. */
  isHeldBy({ sessionId, account }: { sessionId?: string; account?: string }): boolean {
    return sessionId === undefined
      ? this.#identity.viewer.subject === account
      : this.#identity.sessionId === sessionId;
  }

  /** Makes the next recheck ask, however recent the last answer is. */
  forgetAnswer(): void {
    this.#askedAt = 0;
  }

  /** Asks about the session, and a private channel's policies, again once the last answer is old: a right may be lost without a new token. */
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
      if (!(error instanceof JoinRefused || error instanceof InvalidToken)) throw error;
      // A token that came meanwhile has had its own answer.
      if (identity !== this.#identity) return;
      this.shutDown(error instanceof InvalidToken ? error.message : NO_LONGER);
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
    this.#socket.forget(this);
  }

  #end(event: "phx_close" | "phx_error"): void {
    const { joinRef, fullTopic: topic } = this;
    this.#write(encodeFrame(this.version, { joinRef, ref: joinRef, topic, event }, "{}"));
    this.close();
  }

  async #authorise(identity: Identity, asksSession = true): Promise<void> {
    this.#askedAt = this.#parts.context.now();
    if (asksSession) await this.#parts.identities.assertLive(identity);
    if (!this.#name.isPrivate) return;
    const { topic } = this.#name;
    const permissions = await askPermissions(this.#parts.context, topic, identity.viewer);
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
        opened.push(await openSubscription(this.#parts.context.db.admin, this, params));
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

  #tell(extension: string, status: string, message: string): void {
    const channel = this.#name.topic;
    this.push("system", JSON.stringify({ extension, status, message, channel }));
  }
}
