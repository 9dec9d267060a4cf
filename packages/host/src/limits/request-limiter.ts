import { LRUCache } from "lru-cache";
import type { Concurrency, LimitedService, Rate, RequestLimits } from "./limits.ts";
import { TokenBucket } from "./token-bucket.ts";
import { Turns, type EndTurn } from "./concurrency-limiter.ts";

/** A request as far as budgets need to know it. */
export interface BudgetedRequest {
  service: LimitedService;
  /** The account, from a verified token; undefined for strangers. */
  member: string | undefined;
  /** What counts as one sender, as `senderOf` has it. */
  sender: string;
  /** Gives what aborts when the client has gone; asked for only when the request has to wait, as making it costs time. */
  signal?: () => AbortSignal;
  /** Receives the body, once the rate allows it and before a turn is taken; false when it was too slow. */
  receive?: () => Promise<boolean>;
}

/** Why a request is not heard now. */
export interface BudgetRefusal {
  /** `rate` and `concurrency`: the caller's own doing; `busy`: too many strangers at once; `slow`: its body did not come in time. */
  reason: "rate" | "concurrency" | "busy" | "slow";
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
  readonly #renewals: LRUCache<string, Budget>;
  readonly #allRenewals = new Turns();
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
    this.#renewals = new LRUCache({ max });
  }

  /** Entries held at the moment, of all kinds. */
  get size(): number {
    const kept = [this.#members, this.#strangers, this.#addresses, this.#sockets, this.#renewals];
    return kept.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Charges a request and waits for its turn.
   * @returns what to call when the work is done, or why there is no turn
   */
  async admit(request: BudgetedRequest): Promise<EndTurn | BudgetRefusal> {
    const { service, member, sender, signal, receive } = request;
    const limits = this.#limits.services[service];
    const own = member === undefined ? limits.stranger : limits.member;
    const budget = this.#budgetOf(service, member, sender, own);
    // The caller's own budget first: what a stranger is refused does not count against the members behind the same address.
    const waitMs = budget.bucket.take(own, this.#now()) || this.#chargeAddress(sender);
    if (waitMs > 0) return { reason: "rate", retryAfterS: inSeconds(waitMs) };
    if ((await receive?.()) === false) return { reason: "slow", retryAfterS: retryAfterTurnsS };

    const patienceMs = this.#limits.longestWaitMs;
    const endOwn = await budget.turns.take(own, patienceMs, signal);
    if (endOwn === undefined) return { reason: "concurrency", retryAfterS: retryAfterTurnsS };
    if (member !== undefined) return endOwn;
    return await this.#within(this.#turnsOf(service), limits.strangers, endOwn, signal);
  }

  /**
   * Charges the renewal of a session, whose sender is nobody yet, and waits for its turn. What else strangers ask of
   * the accounts does not stand before it.
   */
  async admitRenewal(
    request: Pick<BudgetedRequest, "sender" | "signal" | "receive">,
  ): Promise<EndTurn | BudgetRefusal> {
    const { sender, signal, receive } = request;
    const { renewals, longestWaitMs, services } = this.#limits;
    const { stranger, strangers } = services.auth;
    const budget = this.#known(this.#renewals, sender, renewals);
    const waitMs =
      (isOwnMachine(sender) ? 0 : budget.bucket.take(renewals, this.#now())) ||
      this.#chargeAddress(sender);
    if (waitMs > 0) return { reason: "rate", retryAfterS: inSeconds(waitMs) };
    if ((await receive?.()) === false) return { reason: "slow", retryAfterS: retryAfterTurnsS };
    const endOwn = await budget.turns.take(stranger, longestWaitMs, signal);
    if (endOwn === undefined) return { reason: "concurrency", retryAfterS: retryAfterTurnsS };
    return await this.#within(this.#allRenewals, strangers, endOwn, signal);
  }

  /** Adds a turn among all strangers to a caller's own, or gives that one back. */
  async #within(
    all: Turns,
    limits: Concurrency,
    endOwn: EndTurn,
    signal: BudgetedRequest["signal"],
  ): Promise<EndTurn | BudgetRefusal> {
    const endAll = await all.take(limits, this.#limits.longestWaitMs, signal);
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
    return this.#known(budgets, `${service} ${member ?? sender}`, rate);
  }

  #known(budgets: LRUCache<string, Budget>, key: string, rate: Rate): Budget {
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
