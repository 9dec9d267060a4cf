// Hashes passwords with argon2id, and also verifies the argon2 and bcrypt hashes of imported accounts.

import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2";
import { compare as bcryptCompare } from "bcryptjs";
import { tooManyRequests } from "../auth-error.ts";

/** 19 MiB and two passes, the OWASP minimum for argon2id; about 40 ms on one core. */
const argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const currentHashPrefix = `$argon2id$v=19$m=${argon2Cost.memoryCost},t=${argon2Cost.timeCost},p=${argon2Cost.parallelism}$`;
const argon2Pattern = /^\$argon2id?\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$[\w+/]+\$[\w+/]+$/;
const bcryptPattern = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const maxQueued = 256;

/** The result of checking a password. */
export interface PasswordCheck {
  valid: boolean;
  /** True when the hash uses an older algorithm or cost and should be replaced. */
  needsRehash: boolean;
}

/** True for hashes that may be imported: argon2 and bcrypt with a bounded cost. */
export function isUsableHash(hash: string): boolean {
  const bcrypt = bcryptPattern.exec(hash);
  if (bcrypt) return Number(bcrypt[1]) >= 4 && Number(bcrypt[1]) <= 14;
  const argon2 = argon2Pattern.exec(hash);
  return (
    argon2 !== null && Number(argon2[1]) <= 131_072 && Number(argon2[2]) * Number(argon2[3]) <= 16
  );
}

/**
 * Hashes and checks passwords in the thread pool with bounded concurrency, so that memory stays bounded and other
 * requests are not delayed. Do not call it while holding a database connection.
 */
export class PasswordHasher {
  readonly #limit = Math.max(1, Math.min(4, availableParallelism()));
  readonly #waiting: (() => void)[] = [];
  /** Hash of a random value, so that the check takes as long for an unknown account as for a known one. */
  readonly #dummy: Promise<string>;
  #running = 0;

  constructor() {
    this.#dummy = argon2Hash(randomBytes(32), argon2Cost);
    this.#dummy.catch(() => undefined);
  }

  async #withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) {
      if (this.#waiting.length >= maxQueued) throw tooManyRequests(1);
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

  /** @throws {AuthError} 429 when the queue is full. */
  async hash(password: string): Promise<string> {
    return await this.#withSlot(async () => await argon2Hash(password, argon2Cost));
  }

  /** Checks `password` against a stored hash; without a hash it takes as long and fails. */
  async check(password: string, stored: string | null | undefined): Promise<PasswordCheck> {
    const dummy = await this.#dummy;
    const hash = stored && isUsableHash(stored) ? stored : undefined;
    return await this.#withSlot(async () => {
      const target = hash ?? dummy;
      const matches = bcryptPattern.test(target)
        ? await bcryptCompare(password, target)
        : await argon2Verify(target, password);
      return {
        valid: matches && hash !== undefined,
        needsRehash: hash !== undefined && !hash.startsWith(currentHashPrefix),
      };
    });
  }
}
