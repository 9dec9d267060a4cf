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

/** What a rate counts: an account or an anonymous client at one service, or an address. */
const budgetKinds = ["member", "anonymous", "address", "sockets", "tokenRefreshes"] as const;
export type BudgetKind = (typeof budgetKinds)[number];

export function isBudgetKind(name: string): name is BudgetKind {
  return budgetKinds.some((kind) => kind === name);
}

/** What a budget may owe for requests that other hosts have granted, in bursts: as much as nine hosts grant at once. */
const maxDebtBursts = 8;

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
  #tellGrant: ((kind: BudgetKind, key: string) => void) | undefined;

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
    const kind = member === undefined ? "anonymous" : "member";
    const own = limits[kind];
    const key = `${service} ${member ?? network}`;
    const budgets = member === undefined ? this.#anonymous : this.#members;
    const budget = this.#getOrCreate(budgets, key, own);
    // The caller's own limit first: rejected anonymous requests do not count against members behind the same address.
    const waitMs = this.#take(kind, key, own, budget.bucket) || this.#takeFromAddress(network);
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
      (isLoopback(network)
        ? 0
        : this.#take("tokenRefreshes", network, tokenRefreshes, budget.bucket)) ||
      this.#takeFromAddress(network);
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
    const { sockets } = this.#limits;
    const bucket = this.#getOrCreateBucket(this.#sockets, network, sockets);
    const waitMs = this.#take("sockets", network, sockets, bucket);
    return waitMs > 0 ? toWholeSeconds(waitMs) : undefined;
  }

  /** Has every request told that is granted from now on and counts over all hosts: another host's loopback is another machine. */
  onGrant(tell: (kind: BudgetKind, key: string) => void): void {
    this.#tellGrant = (kind, key) => {
      if (!isOwnMachine(kind, key)) tell(kind, key);
    };
  }

  /** Counts requests that another host has granted. */
  charge(kind: BudgetKind, key: string, amount: number): void {
    const rate = this.#rateOf(kind, key);
    if (rate === undefined || isOwnMachine(kind, key)) return;
    const bucket = this.#bucketOf(kind, key, rate);
    bucket.charge(amount, rate, this.#now(), rate.burst * maxDebtBursts);
  }

  #take(kind: BudgetKind, key: string, rate: Rate, bucket: RequestBucket): number {
    const waitMs = bucket.take(rate, this.#now());
    if (waitMs === 0) this.#tellGrant?.(kind, key);
    return waitMs;
  }

  #takeFromAddress(network: string): number {
    if (isLoopback(network)) return 0;
    const { address } = this.#limits;
    const bucket = this.#getOrCreateBucket(this.#addresses, network, address);
    return this.#take("address", network, address, bucket);
  }

  /** Undefined for a service that is not known. */
  #rateOf(kind: BudgetKind, key: string): Rate | undefined {
    if (kind !== "member" && kind !== "anonymous") return this.#limits[kind];
    const service = key.slice(0, key.indexOf(" "));
    const known = Object.entries(this.#limits.services).find(([name]) => name === service);
    return known?.[1][kind];
  }

  #bucketOf(kind: BudgetKind, key: string, rate: Rate): RequestBucket {
    switch (kind) {
      case "member":
        return this.#getOrCreate(this.#members, key, rate).bucket;
      case "anonymous":
        return this.#getOrCreate(this.#anonymous, key, rate).bucket;
      case "tokenRefreshes":
        return this.#getOrCreate(this.#tokenRefreshes, key, rate).bucket;
      case "address":
        return this.#getOrCreateBucket(this.#addresses, key, rate);
      case "sockets":
        return this.#getOrCreateBucket(this.#sockets, key, rate);
    }
  }

  #getOrCreateBucket(
    buckets: LRUCache<string, RequestBucket>,
    key: string,
    rate: Rate,
  ): RequestBucket {
    const bucket = buckets.get(key) ?? new RequestBucket(rate, this.#now());
    buckets.set(key, bucket);
    return bucket;
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

/** True for the budget of a loopback address. */
function isOwnMachine(kind: BudgetKind, key: string): boolean {
  if (kind === "member") return false;
  return isLoopback(kind === "anonymous" ? key.slice(key.indexOf(" ") + 1) : key);
}
