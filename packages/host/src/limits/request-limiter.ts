// Token buckets and concurrency slots for each account and address, which decide whether a request may run.

import { LRUCache } from "lru-cache";
import { isLoopback } from "./client-address.ts";
import type { Concurrency, LimitedService, Rate, RequestLimits } from "./limits.ts";
import { RequestBucket } from "./request-bucket.ts";
import { ConcurrencyLimiter, type ReleaseSlot } from "./concurrency-limiter.ts";

/** What the limiter needs to know about a request. */
export interface LimitedRequest {
  service: LimitedService;
  /** The account, from a verified token; undefined for anonymous requests. */
  member: string | undefined;
  /** The client network, from `clientNetwork`. */
  network: string;
  /** True when the service reads the body while it holds the slot: uploads wait for other uploads only. */
  isUpload?: boolean;
  /** Returns a signal that aborts when the client disconnects; called only when the request has to wait, as creating it takes time. */
  signal?: () => AbortSignal;
  /** Receives the body, after the rate limit and before a slot is taken; resolves to false when the body was too slow. */
  receive?: () => Promise<boolean>;
}

/** Why a request was rejected. */
export interface LimitRejection {
  /** `rate` and `concurrency`: the caller's own limits; `busy`: too many anonymous requests at once; `slow`: the body did not arrive in time. */
  reason: "rate" | "concurrency" | "busy" | "slow";
  /** Whole seconds until a retry may succeed. */
  retryAfterS: number;
}

/** What shares its slots among all anonymous requests. */
type SlotKind = LimitedService | `${LimitedService} uploads`;

interface Budget {
  bucket: RequestBucket;
  slots: ConcurrencyLimiter;
  uploadSlots: ConcurrencyLimiter;
}

/** A slot may become free at any time; an immediate retry would only lengthen the queue. */
const queueRetryAfterS = 2;

function toWholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** Limits rate and concurrency for every caller and address, in bounded memory. One per host. */
export class RequestLimiter {
  readonly #limits: RequestLimits;
  readonly #now: () => number;
  readonly #members: LRUCache<string, Budget>;
  /** Separate from `#members`, so that many addresses cannot evict a member. */
  readonly #anonymous: LRUCache<string, Budget>;
  readonly #addresses: LRUCache<string, RequestBucket>;
  readonly #sockets: LRUCache<string, RequestBucket>;
  readonly #tokenRefreshes: LRUCache<string, Budget>;
  readonly #allTokenRefreshes = new ConcurrencyLimiter();
  readonly #allAnonymous = new Map<SlotKind, ConcurrencyLimiter>();

  /** @param now milliseconds since the epoch */
  constructor(limits: RequestLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    const max = limits.maxTrackedCallers;
    this.#members = new LRUCache({ max });
    this.#anonymous = new LRUCache({ max });
    this.#addresses = new LRUCache({ max });
    this.#sockets = new LRUCache({ max });
    this.#tokenRefreshes = new LRUCache({ max });
  }

  /** Number of entries of all kinds. */
  get size(): number {
    const kept = [
      this.#members,
      this.#anonymous,
      this.#addresses,
      this.#sockets,
      this.#tokenRefreshes,
    ];
    return kept.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Counts a request and waits for a free slot.
   * @returns a function that releases the slot, or why the request was rejected
   */
  async admit(request: LimitedRequest): Promise<ReleaseSlot | LimitRejection> {
    const { service, member, network, isUpload = false, signal, receive } = request;
    const limits = this.#limits.services[service];
    const own = member === undefined ? limits.anonymous : limits.member;
    const budget = this.#budgetFor(service, member, network, own);
    // The caller's own limit first: rejected anonymous requests do not count against members behind the same address.
    const waitMs = budget.bucket.take(own, this.#now()) || this.#chargeAddress(network);
    if (waitMs > 0) return { reason: "rate", retryAfterS: toWholeSeconds(waitMs) };
    if ((await receive?.()) === false) return { reason: "slow", retryAfterS: queueRetryAfterS };

    const maxWaitMs = this.#limits.maxWaitMs;
    const slots = isUpload ? budget.uploadSlots : budget.slots;
    const releaseOwn = await slots.acquire(own, maxWaitMs, signal);
    if (releaseOwn === undefined) return { reason: "concurrency", retryAfterS: queueRetryAfterS };
    if (member !== undefined) return releaseOwn;
    const shared = this.#anonymousSlots(isUpload ? `${service} uploads` : service);
    return await this.#acquireShared(shared, limits.allAnonymous, releaseOwn, signal);
  }

  /**
   * Counts a token refresh, which carries no access token, and waits for a free slot. Other anonymous requests to the
   * auth service cannot delay it.
   */
  async admitTokenRefresh(
    request: Pick<LimitedRequest, "network" | "signal" | "receive">,
  ): Promise<ReleaseSlot | LimitRejection> {
    const { network, signal, receive } = request;
    const { tokenRefreshes, maxWaitMs, services } = this.#limits;
    const { anonymous, allAnonymous } = services.auth;
    const budget = this.#getOrCreate(this.#tokenRefreshes, network, tokenRefreshes);
    const waitMs =
      (isLoopback(network) ? 0 : budget.bucket.take(tokenRefreshes, this.#now())) ||
      this.#chargeAddress(network);
    if (waitMs > 0) return { reason: "rate", retryAfterS: toWholeSeconds(waitMs) };
    if ((await receive?.()) === false) return { reason: "slow", retryAfterS: queueRetryAfterS };
    const releaseOwn = await budget.slots.acquire(anonymous, maxWaitMs, signal);
    if (releaseOwn === undefined) return { reason: "concurrency", retryAfterS: queueRetryAfterS };
    return await this.#acquireShared(this.#allTokenRefreshes, allAnonymous, releaseOwn, signal);
  }

  /** Takes a shared slot in addition to the caller's own, or releases the caller's own. */
  async #acquireShared(
    shared: ConcurrencyLimiter,
    limits: Concurrency,
    releaseOwn: ReleaseSlot,
    signal: LimitedRequest["signal"],
  ): Promise<ReleaseSlot | LimitRejection> {
    const releaseShared = await shared.acquire(limits, this.#limits.maxWaitMs, signal);
    if (releaseShared === undefined) {
      releaseOwn();
      return { reason: "busy", retryAfterS: queueRetryAfterS };
    }
    return () => {
      releaseShared();
      releaseOwn();
    };
  }

  /** Counts a new socket against its address. @returns the seconds to wait, or undefined when it may open */
  admitSocket(network: string): number | undefined {
    if (isLoopback(network)) return undefined;
    const waitMs = this.#charge(this.#sockets, network, this.#limits.sockets);
    return waitMs > 0 ? toWholeSeconds(waitMs) : undefined;
  }

  #chargeAddress(network: string): number {
    return isLoopback(network) ? 0 : this.#charge(this.#addresses, network, this.#limits.address);
  }

  #charge(buckets: LRUCache<string, RequestBucket>, key: string, rate: Rate): number {
    const bucket = buckets.get(key) ?? new RequestBucket(rate, this.#now());
    buckets.set(key, bucket);
    return bucket.take(rate, this.#now());
  }

  #budgetFor(
    service: LimitedService,
    member: string | undefined,
    network: string,
    rate: Rate,
  ): Budget {
    const budgets = member === undefined ? this.#anonymous : this.#members;
    return this.#getOrCreate(budgets, `${service} ${member ?? network}`, rate);
  }

  #getOrCreate(budgets: LRUCache<string, Budget>, key: string, rate: Rate): Budget {
    const known = budgets.get(key);
    if (known !== undefined) return known;
    const budget = {
      bucket: new RequestBucket(rate, this.#now()),
      slots: new ConcurrencyLimiter(),
      uploadSlots: new ConcurrencyLimiter(),
    };
    budgets.set(key, budget);
    return budget;
  }

  #anonymousSlots(kind: SlotKind): ConcurrencyLimiter {
    const known = this.#allAnonymous.get(kind) ?? new ConcurrencyLimiter();
    this.#allAnonymous.set(kind, known);
    return known;
  }
}
