// Keeps the usage that Realtime's rate limits count, for each account and address.

import type { VerifiedToken } from "../channel-authorization/token-verifier.ts";
import type { RealtimeLimits, CallerLimits } from "./realtime-limits.ts";
import { TokenBucket } from "./token-bucket.ts";

/** What a caller's rate limits count. */
export type RateLimit =
  "broadcastBytes" | "fanOutBytes" | "httpMessages" | "joins" | "filterValidations";

/** Usage of an account, of the anonymous clients of an address, or of an address as a whole. */
class CallerUsage {
  readonly #buckets: Readonly<Record<RateLimit, TokenBucket>>;
  /** Open sockets on which it has joined a channel. */
  sockets = 0;

  constructor(limits: CallerLimits) {
    this.#buckets = {
      broadcastBytes: new TokenBucket(limits.broadcastBytesPerSecond),
      fanOutBytes: new TokenBucket(limits.fanOutBytesPerSecond),
      httpMessages: new TokenBucket(limits.httpMessagesPerSecond),
      joins: new TokenBucket(limits.joinsPerSecond),
      filterValidations: new TokenBucket(limits.filterValidationsPerSecond),
    };
  }

  of(kind: RateLimit): TokenBucket {
    return this.#buckets[kind];
  }

  isIdle(nowMs: number): boolean {
    return this.sockets === 0 && Object.values(this.#buckets).every((each) => each.isFull(nowMs));
  }
}

/** Usage of one address, or one IPv6 network. */
export class AddressUsage {
  readonly name: string;
  readonly all: CallerUsage;
  readonly anon: CallerUsage;
  readonly connects: TokenBucket;
  readonly messages: TokenBucket;
  readonly receivedBytes: TokenBucket;
  /** Sockets that are open or opening. */
  sockets = 0;

  constructor(name: string, limits: RealtimeLimits) {
    this.name = name;
    this.all = new CallerUsage(limits.address);
    this.anon = new CallerUsage(limits.anon);
    this.connects = new TokenBucket(
      limits.connectsPerSecondPerAddress,
      limits.socketsPerAddress * 2,
    );
    this.messages = new TokenBucket(limits.messagesPerSecondPerAddress);
    this.receivedBytes = new TokenBucket(limits.receivedBytesPerSecondPerAddress);
  }

  isIdle(nowMs: number): boolean {
    return (
      this.sockets === 0 &&
      this.connects.isFull(nowMs) &&
      this.messages.isFull(nowMs) &&
      this.receivedBytes.isFull(nowMs) &&
      this.all.isIdle(nowMs) &&
      this.anon.isIdle(nowMs)
    );
  }
}

/** A client with its rate limits. It is counted with its account, or else with its address. */
export interface RealtimeCaller {
  /** Identifies the caller in queues. */
  readonly name: string;
  readonly limits: CallerLimits;
  /** True without an account. */
  readonly isAnon: boolean;
  /** Counts an amount. Returns false and counts nothing when the limit is reached. */
  spend: (kind: RateLimit, amount: number) => boolean;
  /** Blocks one kind of usage for so many milliseconds. */
  block: (kind: RateLimit, ms: number) => void;
}

/** The service role is the project's own backend. Only the limits of sockets and of the process apply to it. */
const noLimits: CallerLimits = {
  broadcastBytes: Infinity,
  broadcastBytesPerSecond: Infinity,
  fanOutBytesPerSecond: Infinity,
  httpMessagesPerSecond: Infinity,
  joinsPerSecond: Infinity,
  filterValidationsPerSecond: Infinity,
  databaseFilters: Infinity,
  presenceBytes: Infinity,
  presenceBytesPerSocket: Infinity,
  joinBytesPerSocket: Infinity,
  waitingBytesPerSocket: Infinity,
};

/** Usage of all accounts and addresses with open sockets or recent usage. */
export class CallerRegistry {
  readonly #limits: RealtimeLimits;
  readonly #now: () => number;
  readonly #addresses = new Map<string, AddressUsage>();
  readonly #accounts = new Map<string, CallerUsage>();

  constructor(limits: RealtimeLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  address(name: string): AddressUsage {
    const address = this.#addresses.get(name) ?? new AddressUsage(name, this.#limits);
    this.#addresses.set(name, address);
    return address;
  }

  account(id: string): CallerUsage {
    const account = this.#accounts.get(id) ?? new CallerUsage(this.#limits.authenticated);
    this.#accounts.set(id, account);
    return account;
  }

  caller({ identity: { role, account } }: VerifiedToken, address: AddressUsage): RealtimeCaller {
    if (role === "service_role") {
      return {
        name: role,
        limits: noLimits,
        isAnon: false,
        spend: () => true,
        block: () => undefined,
      };
    }
    const isAnon = account === undefined;
    const usages = () => [isAnon ? address.anon : this.account(account), address.all];
    return {
      name: isAnon ? `address ${address.name}` : `account ${account}`,
      limits: isAnon ? this.#limits.anon : this.#limits.authenticated,
      isAnon,
      spend: (kind, amount) => {
        const now = this.#now();
        const buckets = usages().map((usage) => usage.of(kind));
        if (!buckets.every((bucket) => bucket.isOpen(now))) return false;
        for (const bucket of buckets) bucket.charge(amount, now);
        return true;
      },
      block: (kind, ms) => usages()[0]?.of(kind).closeFor(ms, this.#now()),
    };
  }

  /** Removes entries that a new one would equal. */
  sweep(): void {
    const now = this.#now();
    for (const [name, address] of this.#addresses) {
      if (address.isIdle(now)) this.#addresses.delete(name);
    }
    for (const [id, account] of this.#accounts) {
      if (account.isIdle(now)) this.#accounts.delete(id);
    }
  }
}
