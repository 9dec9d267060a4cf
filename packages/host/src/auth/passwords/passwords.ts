import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2";
import { compare as bcryptCompare } from "bcryptjs";
import { tooMany } from "../auth-error.ts";

/** 19 MiB and two passes: the first recommendation for interactive sign-in; about 40 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT_PREFIX = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;
const ARGON2 = /^\$argon2id?\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$[\w+/]+\$[\w+/]+$/;
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const LONGEST_QUEUE = 256;

/** The outcome of checking a password. */
export interface Check {
  valid: boolean;
  /** True when the hash is of an older kind and should be replaced. */
  outdated: boolean;
}

/** True for hashes that may be imported: argon2 and bcrypt at costs that do not stall the host. */
export function isUsableHash(hash: string): boolean {
  const bcrypt = BCRYPT.exec(hash);
  if (bcrypt) return Number(bcrypt[1]) >= 4 && Number(bcrypt[1]) <= 14;
  const argon2 = ARGON2.exec(hash);
  return (
    argon2 !== null && Number(argon2[1]) <= 131_072 && Number(argon2[2]) * Number(argon2[3]) <= 16
  );
}

/**
 * Hashes and checks passwords in the thread pool, a few at a time: memory stays bounded and other requests
 * keep their turn. Never call it while holding a database connection.
 */
export class Passwords {
  readonly #limit = Math.max(1, Math.min(4, availableParallelism()));
  readonly #waiting: (() => void)[] = [];
  /** A hash nobody's password has, so that an unknown account costs the same time as a known one. */
  readonly #dummy: Promise<string>;
  #running = 0;

  constructor() {
    this.#dummy = argon2Hash(randomBytes(32), COST);
    this.#dummy.catch(() => undefined);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) {
      if (this.#waiting.length >= LONGEST_QUEUE) throw tooMany(1);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** @throws {AuthError} 429 when too many passwords are waiting already. */
  async hash(password: string): Promise<string> {
    return await this.#inTurn(async () => await argon2Hash(password, COST));
  }

  /** Checks `password` against a stored hash; without one it takes as long and fails. */
  async check(password: string, stored: string | null | undefined): Promise<Check> {
    const dummy = await this.#dummy;
    const hash = stored && isUsableHash(stored) ? stored : undefined;
    return await this.#inTurn(async () => {
      const against = hash ?? dummy;
      const matches = BCRYPT.test(against)
        ? await bcryptCompare(password, against)
        : await argon2Verify(against, password);
      return {
        valid: matches && hash !== undefined,
        outdated: hash !== undefined && !hash.startsWith(CURRENT_PREFIX),
      };
    });
  }
}
