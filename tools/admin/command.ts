import type pg from "pg";
import type { HostConfig } from "basehost";

/** What a command about one account is given. */
export interface AdminCall {
  readonly email: string;
  readonly isConfirmed: boolean;
  /** What the account was promised was paid in another way. */
  readonly isOwedPaid: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: HostConfig;
  /** Folder of the repository. */
  readonly root: string;
  /** Works on the install's database, whether the product runs or not. */
  readonly withDatabase: <T>(work: (pool: pg.Pool) => Promise<T>) => Promise<T>;
}

/**
 * A command about one account.
 * @returns what was done, in sentences for the operator.
 * @throws {BootError} with one sentence when it can't be done.
 */
export type AdminCommand = (call: AdminCall) => Promise<string>;
