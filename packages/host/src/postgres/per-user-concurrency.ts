// Shares the members' connection pool fairly, so that one member's slow queries do not block everyone else.

import { LRUCache } from "lru-cache";
import type { DatabaseLimits } from "../limits/limits.ts";
import { DatabaseBusyError } from "./database-busy.ts";

type ConcurrencyLimits = Pick<
  DatabaseLimits,
  | "perMember"
  | "heavyAfterMs"
  | "heavyHalfLifeMs"
  | "forHeavyMembers"
  | "maxQueued"
  | "maxQueuedPerMember"
  | "maxWaitMs"
> & { connections: number };

/** Most users whose load is tracked; a user who is dropped counts as light again. */
const maxTrackedUsers = 20_000;

interface HeldSlot {
  user: UserLoad;
  sinceMs: number;
}

interface Waiter {
  grant: () => void;
  refuse: () => void;
}

/** The slots a user holds and waits for, and the connection time the user has used recently. */
interface UserLoad {
  held: Set<HeldSlot>;
  waiting: Set<Waiter>;
  usedMs: number;
  usedAtMs: number;
}

/**
 * Limits how many connections of a pool each user holds. A user holds at most `perMember`. Users with much recent
 * connection time are heavy, and all heavy users together hold at most `forHeavyMembers`. Of the users who wait, the one
 * with the least recent connection time is served first. One slow query, or fifty of one user, cannot block the others.
 */
export class PerUserConcurrency {
  readonly #limits: ConcurrencyLimits;
  readonly #now: () => number;
  readonly #users = new LRUCache<string, UserLoad>({ max: maxTrackedUsers });
  readonly #held = new Set<HeldSlot>();
  /** Users with waiting requests. */
  readonly #queue = new Set<UserLoad>();
  #waiting = 0;

  /** @param now a monotonic clock in milliseconds */
  constructor(limits: ConcurrencyLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Waits until the user may hold one more connection.
   * @returns a function that releases the slot; call it once
   * @throws {DatabaseBusyError} when too many of the user's requests wait already, when the queue is full and holds no
   *   heavier user, or when the wait took too long
   */
  async acquire(key: string): Promise<() => void> {
    const user = this.#loadOf(key);
    if (user.waiting.size === 0 && this.#mayHold(user)) return this.#hold(user);
    if (user.waiting.size >= this.#limits.maxQueuedPerMember || !this.#makeRoomFor(user)) {
      throw new DatabaseBusyError();
    }
    return await new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        user.waiting.delete(waiter);
        if (user.waiting.size === 0) this.#queue.delete(user);
        this.#waiting -= 1;
      };
      const waiter: Waiter = {
        grant: () => {
          leave();
          resolve(this.#hold(user));
        },
        refuse: () => {
          leave();
          reject(new DatabaseBusyError());
        },
      };
      const timer = setTimeout(waiter.refuse, this.#limits.maxWaitMs);
      user.waiting.add(waiter);
      this.#queue.add(user);
      this.#waiting += 1;
    });
  }

  /** When the queue is full, refuses a request of its heaviest user to make room for a lighter user. */
  #makeRoomFor(user: UserLoad): boolean {
    if (this.#waiting < this.#limits.maxQueued) return true;
    let heaviest = user;
    let most = this.#usedMs(user);
    for (const other of this.#queue) {
      const used = this.#usedMs(other);
      if (used > most) [heaviest, most] = [other, used];
    }
    if (heaviest === user) return false;
    [...heaviest.waiting].at(-1)?.refuse();
    return true;
  }

  #loadOf(key: string): UserLoad {
    const known = this.#users.get(key);
    if (known !== undefined) return known;
    const user: UserLoad = { held: new Set(), waiting: new Set(), usedMs: 0, usedAtMs: 0 };
    this.#users.set(key, user);
    return user;
  }

  /** Connection time the user has used recently, in milliseconds, including running statements. */
  #usedMs(user: UserLoad): number {
    const nowMs = this.#now();
    let used = this.#decayedMs(user, nowMs);
    for (const { sinceMs } of user.held) used += nowMs - sinceMs;
    return used;
  }

  /** Connection time of released slots, in milliseconds, decayed by its half-life. */
  #decayedMs({ usedMs, usedAtMs }: UserLoad, nowMs: number): number {
    return usedMs * 0.5 ** ((nowMs - usedAtMs) / this.#limits.heavyHalfLifeMs);
  }

  #isHeavy(user: UserLoad): boolean {
    return this.#usedMs(user) > this.#limits.heavyAfterMs;
  }

  #mayHold(user: UserLoad): boolean {
    if (this.#held.size >= this.#limits.connections) return false;
    if (user.held.size >= this.#limits.perMember) return false;
    if (!this.#isHeavy(user)) return true;
    let heavy = 0;
    for (const slot of this.#held) if (this.#isHeavy(slot.user)) heavy += 1;
    return heavy < this.#limits.forHeavyMembers;
  }

  #hold(user: UserLoad): () => void {
    const slot: HeldSlot = { user, sinceMs: this.#now() };
    user.held.add(slot);
    this.#held.add(slot);
    return () => {
      const nowMs = this.#now();
      user.usedMs = this.#decayedMs(user, nowMs) + nowMs - slot.sinceMs;
      user.usedAtMs = nowMs;
      user.held.delete(slot);
      this.#held.delete(slot);
      this.#grantNext();
    };
  }

  /** Grants slots to waiting users who may hold one, the lightest first. */
  #grantNext(): void {
    while (this.#queue.size > 0 && this.#held.size < this.#limits.connections) {
      let next: UserLoad | undefined;
      let least = Number.POSITIVE_INFINITY;
      for (const user of this.#queue) {
        const used = this.#usedMs(user);
        if (used < least && this.#mayHold(user)) [next, least] = [user, used];
      }
      if (next === undefined) return;
      const [waiter] = next.waiting;
      waiter?.grant();
    }
  }
}
