import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { BootError } from "../config.ts";

const run = promisify(execFile);
const ACCOUNT = "postgres";

/** The operating-system account Postgres runs as; undefined means our own. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

async function lookUp(): Promise<ServerAccount | undefined> {
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", ACCOUNT]), run("id", ["-g", ACCOUNT])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/**
 * Postgres refuses to run as root, so under root (containers, fresh servers) it gets an account of its own.
 * @throws {BootError} when the account is missing and cannot be made.
 */
export async function findServerAccount(): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await lookUp();
  if (existing) return existing;
  await run("useradd", ["--system", "--no-create-home", ACCOUNT]).catch(() => undefined);
  const made = await lookUp();
  if (made) return made;
  throw new BootError(
    "PostgreSQL does not run as root and no `postgres` account could be made; " +
      "start as an ordinary user, or set DATABASE_URL.",
  );
}
