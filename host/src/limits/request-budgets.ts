import { LRUCache } from "lru-cache";
import type { LimitedService, Rate, RequestLimits } from "./limits.ts";
import { TokenBucket } from "./token-bucket.ts";
import { Turns, type EndTurn } from "./turns.ts";

/** A request as far as budgets need to know it. */
export interface BudgetedRequest {
  service: LimitedService;
  /** The account, from a verified token; undefined for strangers. */
  member: string | undefined;
  /** What counts as one sender, as `senderOf` has it. */
  sender: string;
  /** Aborts when the client has gone, so that it waits for nothing. */
  signal?: AbortSignal;
}

/** Why a request is not heard now. */
export interface BudgetRefusal {
  /** `rate` and `concurrency`: the caller's own doing; `busy`: too many strangers at once. */
  reason: "rate" | "concurrency" | "busy";
  /** Whole seconds until trying again makes sense. */
  retryAfterS: number;
}

interface Budget {
  bucket: TokenBucket;
  turns: Turns;
}

/** A turn may come free at any time; asking again at once would only lengthen the queue. */
const retryAfterTurnsS = 2;

/** True for this machine itself: functions, the operator, or a proxy that was not named. It says nothing about who calls. */
function isOwnMachine(sender: string): boolean {
  return sender === "" || sender === "0:0:0:0::/64" || sender.startsWith("127.");
}

function inSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** Rate and concurrency of every caller and address, in bounded memory. One for each host. */
export class RequestBudgets {
  readonly #limits: RequestLimits;
  readonly #now: () => number;
  readonly #members: LRUCache<string, Budget>;
  /** Apart from the members, so that no number of addresses makes the host forget a member. */
  readonly #strangers: LRUCache<string, Budget>;
  readonly #addresses: LRUCache<string, TokenBucket>;
  readonly #sockets: LRUCache<string, TokenBucket>;
  readonly #allStrangers = new Map<LimitedService, Turns>();

  /** @param now milliseconds since the epoch */
  constructor(limits: RequestLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    const max = limits.remembered;
    this.#members = new LRUCache({ max });
    this.#strangers = new LRUCache({ max });
    this.#addresses = new LRUCache({ max });
    this.#sockets = new LRUCache({ max });
  }

  /** Entries held at the moment, of all kinds. */
  get size(): number {
    return this.#members.size + this.#strangers.size + this.#addresses.size + this.#sockets.size;
  }

  /**
   * Charges a request and waits for its turn.
   * @returns what to call when the work is done, or why there is no turn
   */
  async admit(request: BudgetedRequest): Promise<EndTurn | BudgetRefusal> {
    const { service, member, sender, signal } = request;
    const limits = this.#limits.services[service];
    const own = member === undefined ? limits.stranger : limits.member;
    const budget = this.#budgetOf(service, member, sender, own);
    // The caller's own budget first: what a stranger is refused does not count against the members behind the same address.
    const waitMs = budget.bucket.take(own, this.#now()) || this.#chargeAddress(sender);
    if (waitMs > 0) return { reason: "rate", retryAfterS: inSeconds(waitMs) };

    const patienceMs = this.#limits.longestWaitMs;
    const endOwn = await budget.turns.take(own, patienceMs, signal);
    if (endOwn === undefined) return { reason: "concurrency", retryAfterS: retryAfterTurnsS };
    if (member !== undefined) return endOwn;
    const endAll = await this.#turnsOf(service).take(limits.strangers, patienceMs, signal);
    if (endAll === undefined) {
      endOwn();
      return { reason: "busy", retryAfterS: retryAfterTurnsS };
    }
    return () => {
      endAll();
      endOwn();
    };
  }

  /** Charges a new socket to its address. @returns the seconds to wait, or undefined when it may open. */
  admitSocket(sender: string): number | undefined {
    if (isOwnMachine(sender)) return undefined;
    const waitMs = this.#charge(this.#sockets, sender, this.#limits.sockets);
    return waitMs > 0 ? inSeconds(waitMs) : undefined;
  }

  #chargeAddress(sender: string): number {
    return isOwnMachine(sender) ? 0 : this.#charge(this.#addresses, sender, this.#limits.address);
  }

  #charge(buckets: LRUCache<string, TokenBucket>, key: string, rate: Rate): number {
    const bucket = buckets.get(key) ?? new TokenBucket(rate, this.#now());
    buckets.set(key, bucket);
    return bucket.take(rate, this.#now());
  }

  #budgetOf(
    service: LimitedService,
    member: string | undefined,
    sender: string,
    rate: Rate,
  ): Budget {
    const budgets = member === undefined ? this.#strangers : this.#members;
    const key = `${service} ${member ?? sender}`;
    const known = budgets.get(key);
    if (known !== undefined) return known;
    const budget = { bucket: new TokenBucket(rate, this.#now()), turns: new Turns() };
    budgets.set(key, budget);
    return budget;
  }

  #turnsOf(service: LimitedService): Turns {
    const known = this.#allStrangers.get(service) ?? new Turns();
    this.#allStrangers.set(service, known);
    return known;
  }
}
