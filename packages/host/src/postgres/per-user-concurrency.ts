import { LRUCache } from "lru-cache";
import type { DatabaseLimits } from "../limits/limits.ts";
import { DatabaseBusyError } from "./database-busy.ts";

type TurnLimits = Pick<
  DatabaseLimits,
  | "perMember"
  | "heavyAfterMs"
  | "heavyHalfLifeMs"
  | "forHeavyMembers"
  | "waiting"
  | "waitingPerMember"
  | "longestWaitMs"
> & { connections: number };

/** Callers remembered; whoever is forgotten counts as light. */
const rememberedCallers = 20_000;

interface Turn {
  caller: CallerUse;
  sinceMs: number;
}

interface Waiter {
  begin: () => void;
  refuse: () => void;
}

/** What one caller holds, waits for and has used lately. */
interface CallerUse {
  held: Set<Turn>;
  waiting: Set<Waiter>;
  usedMs: number;
  usedAtMs: number;
}

/**
 * Shares the connections of a pool between callers. Nobody holds more than a few at a time; whoever kept the
 * database busy lately is heavy, and all heavy callers together hold no more than a part; of those who wait, the one
 * who used least goes first. So one slow question, or fifty of one caller, does not stand before everybody else.
 */
export class CallerTurns {
  readonly #limits: TurnLimits;
  readonly #now: () => number;
  readonly #callers = new LRUCache<string, CallerUse>({ max: rememberedCallers });
  readonly #held = new Set<Turn>();
  /** Callers of whom something waits. */
  readonly #queue = new Set<CallerUse>();
  #waiting = 0;

  /** @param now milliseconds that never go back */
  constructor(limits: TurnLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Waits until the caller may hold one more connection.
   * @returns what ends the turn; to be called once
   * @throws {DatabaseBusyError} when too many of the caller's wait already, when too many wait and nobody is heavier
   *   than the caller, or when it took too long
   */
  async take(key: string): Promise<() => void> {
    const caller = this.#callerOf(key);
    if (caller.waiting.size === 0 && this.#mayHold(caller)) return this.#begin(caller);
    if (caller.waiting.size >= this.#limits.waitingPerMember || !this.#hasRoomFor(caller)) {
      throw new DatabaseBusyError();
    }
    return await new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        caller.waiting.delete(waiter);
        if (caller.waiting.size === 0) this.#queue.delete(caller);
        this.#waiting -= 1;
      };
      const waiter: Waiter = {
        begin: () => {
          leave();
          resolve(this.#begin(caller));
        },
        refuse: () => {
          leave();
          reject(new DatabaseBusyError());
        },
      };
      const timer = setTimeout(waiter.refuse, this.#limits.longestWaitMs);
      caller.waiting.add(waiter);
      this.#queue.add(caller);
      this.#waiting += 1;
    });
  }

  /** A full queue refuses the heaviest of its callers to make room for a lighter one. */
  #hasRoomFor(caller: CallerUse): boolean {
    if (this.#waiting < this.#limits.waiting) return true;
    let heaviest = caller;
    let most = this.#used(caller);
    for (const other of this.#queue) {
      const used = this.#used(other);
      if (used > most) [heaviest, most] = [other, used];
    }
    if (heaviest === caller) return false;
    [...heaviest.waiting].at(-1)?.refuse();
    return true;
  }

  #callerOf(key: string): CallerUse {
    const known = this.#callers.get(key);
    if (known !== undefined) return known;
    const caller: CallerUse = { held: new Set(), waiting: new Set(), usedMs: 0, usedAtMs: 0 };
    this.#callers.set(key, caller);
    return caller;
  }

  /** Milliseconds of connections the caller used lately, what runs now included. */
  #used(caller: CallerUse): number {
    const nowMs = this.#now();
    let used = this.#remembered(caller, nowMs);
    for (const { sinceMs } of caller.held) used += nowMs - sinceMs;
    return used;
  }

  /** What is left of the turns that have ended. */
  #remembered({ usedMs, usedAtMs }: CallerUse, nowMs: number): number {
    return usedMs * 0.5 ** ((nowMs - usedAtMs) / this.#limits.heavyHalfLifeMs);
  }

  #isHeavy(caller: CallerUse): boolean {
    return this.#used(caller) > this.#limits.heavyAfterMs;
  }

  #mayHold(caller: CallerUse): boolean {
    if (this.#held.size >= this.#limits.connections) return false;
    if (caller.held.size >= this.#limits.perMember) return false;
    if (!this.#isHeavy(caller)) return true;
    let heavy = 0;
    for (const turn of this.#held) if (this.#isHeavy(turn.caller)) heavy += 1;
    return heavy < this.#limits.forHeavyMembers;
  }

  #begin(caller: CallerUse): () => void {
    const turn: Turn = { caller, sinceMs: this.#now() };
    caller.held.add(turn);
    this.#held.add(turn);
    return () => {
      const nowMs = this.#now();
      caller.usedMs = this.#remembered(caller, nowMs) + nowMs - turn.sinceMs;
      caller.usedAtMs = nowMs;
      caller.held.delete(turn);
      this.#held.delete(turn);
      this.#serve();
    };
  }

  /** Lets those go on who may, the lightest caller first. */
  #serve(): void {
    while (this.#queue.size > 0 && this.#held.size < this.#limits.connections) {
      let next: CallerUse | undefined;
      let least = Number.POSITIVE_INFINITY;
      for (const caller of this.#queue) {
        const used = this.#used(caller);
        if (used < least && this.#mayHold(caller)) [next, least] = [caller, used];
      }
      if (next === undefined) return;
      const [waiter] = next.waiting;
      waiter?.begin();
    }
  }
}
