import type { Identity } from "./identity.ts";
import type { RealtimeLimits, SenderLimits } from "./limits.ts";
import { TokenBucket } from "./token-bucket.ts";

/** What a sender spends. */
export type Spending = "broadcastBytes" | "fanOutBytes" | "httpMessages" | "joins" | "filterTrials";

/** One who is held to a rate: an account, the strangers of an address, or all of an address. */
class Sender {
  readonly #buckets: Readonly<Record<Spending, TokenBucket>>;
  /** Open sockets on which it joined something. */
  sockets = 0;

  constructor(limits: SenderLimits) {
    this.#buckets = {
      broadcastBytes: new TokenBucket(limits.broadcastBytesPerSecond),
      fanOutBytes: new TokenBucket(limits.fanOutBytesPerSecond),
      httpMessages: new TokenBucket(limits.httpMessagesPerSecond),
      joins: new TokenBucket(limits.joinsPerSecond),
      filterTrials: new TokenBucket(limits.filterTrialsPerSecond),
    };
  }

  of(spending: Spending): TokenBucket {
    return this.#buckets[spending];
  }

  isIdle(nowMs: number): boolean {
    return this.sockets === 0 && Object.values(this.#buckets).every((each) => each.isFull(nowMs));
  }
}

/** One address, or one IPv6 network: its open sockets and what its callers spend. */
export class Address {
  readonly name: string;
  readonly all: Sender;
  readonly strangers: Sender;
  readonly connects: TokenBucket;
  readonly messages: TokenBucket;
  readonly receivedBytes: TokenBucket;
  /** Open sockets, also those still being opened. */
  sockets = 0;

  constructor(name: string, limits: RealtimeLimits) {
    this.name = name;
    this.all = new Sender(limits.address);
    this.strangers = new Sender(limits.stranger);
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
      this.strangers.isIdle(nowMs)
    );
  }
}

/** Who pays for what a caller does, and the limits of one of its kind. */
export interface Caller {
  /** Names the caller where callers take turns. */
  readonly name: string;
  readonly limits: SenderLimits;
  /** True for anybody without an account. */
  readonly isStranger: boolean;
  /** False when one of those who pay has nothing left; then nothing is spent. */
  spend: (spending: Spending, amount: number) => boolean;
  /** Forbids a kind of spending for so long. */
  forbid: (spending: Spending, ms: number) => void;
}

/** The service role is the project's own backend: the limits of sockets and of the process are enough. */
const noLimits: SenderLimits = {
  broadcastBytes: Infinity,
  broadcastBytesPerSecond: Infinity,
  fanOutBytesPerSecond: Infinity,
  httpMessagesPerSecond: Infinity,
  joinsPerSecond: Infinity,
  filterTrialsPerSecond: Infinity,
  askedFilters: Infinity,
  presenceBytes: Infinity,
  presenceBytesPerSocket: Infinity,
  joinBytesPerSocket: Infinity,
  waitingBytesPerSocket: Infinity,
};

/** Everybody who has a socket open or spent something of late. */
export class Senders {
  readonly #limits: RealtimeLimits;
  readonly #now: () => number;
  readonly #addresses = new Map<string, Address>();
  readonly #accounts = new Map<string, Sender>();

  constructor(limits: RealtimeLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  address(name: string): Address {
    const address = this.#addresses.get(name) ?? new Address(name, this.#limits);
    this.#addresses.set(name, address);
    return address;
  }

  account(id: string): Sender {
    const account = this.#accounts.get(id) ?? new Sender(this.#limits.member);
    this.#accounts.set(id, account);
    return account;
  }

  caller({ identity: { role, account } }: Identity, address: Address): Caller {
    if (role === "service_role") {
      return {
        name: role,
        limits: noLimits,
        isStranger: false,
        spend: () => true,
        forbid: () => undefined,
      };
    }
    const isStranger = account === undefined;
    const payers = () => [isStranger ? address.strangers : this.account(account), address.all];
    return {
      name: isStranger ? `address ${address.name}` : `account ${account}`,
      limits: isStranger ? this.#limits.stranger : this.#limits.member,
      isStranger,
      spend: (spending, amount) => {
        const now = this.#now();
        const buckets = payers().map((payer) => payer.of(spending));
        if (!buckets.every((bucket) => bucket.isOpen(now))) return false;
        for (const bucket of buckets) bucket.charge(amount, now);
        return true;
      },
      forbid: (spending, ms) => payers()[0]?.of(spending).closeFor(ms, this.#now()),
    };
  }

  /** Forgets those who would begin anew with the same. */
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
