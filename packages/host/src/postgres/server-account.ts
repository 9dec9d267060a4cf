// Chooses the system account for the embedded PostgreSQL, which refuses to run as root.

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { BootError } from "../boot-error.ts";

const run = promisify(execFile);
const accountName = "postgres";
// Any id but 0: inside the namespace it must look like an ordinary user.
const namespaceArgs = ["--user", "--map-user=1000", "--map-group=1000"];

/** The account Postgres runs as. It refuses to run as root. */
export type ServerAccount =
  /** This process's own account, when it is not root. */
  | { kind: "own" }
  /** A system account, when this process runs as root. */
  | { kind: "account"; uid: number; gid: number }
  /** A user namespace under root: files belong to root, and the server sees itself as an ordinary user. */
  | { kind: "namespace" };

async function postgresAccount(): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([
      run("id", ["-u", accountName]),
      run("id", ["-g", accountName]),
    ]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** The nearest folder above `path` that `uid` may not traverse. */
async function closedFolderAbove(path: string, uid: number): Promise<string | undefined> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    // A missing folder will be created so that the account can traverse it.
    const status = await stat(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (status === undefined) continue;
    if (status.uid !== uid && (status.mode & constants.S_IXOTH) === 0) return folder;
  }
  return undefined;
}

async function namespacesWork(): Promise<boolean> {
  return await run("unshare", [...namespaceArgs, "true"]).then(
    () => true,
    () => false,
  );
}

/**
 * Chooses the account that runs Postgres over `folder`. An existing folder keeps the account it was created with.
 * @param paths other paths that the server must be able to reach
 * @throws {BootError} when no account can run it, saying what to do
 */
export async function chooseServerAccount(
  folder: string,
  paths: readonly string[],
): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return { kind: "own" };
  const owner = await stat(folder).catch(() => undefined);
  if (owner?.uid === 0) return { kind: "namespace" };
  if (owner === undefined && !(await postgresAccount())) {
    await run("useradd", ["--system", "--no-create-home", accountName]).catch(() => undefined);
  }
  const account = owner ? { uid: owner.uid, gid: owner.gid } : await postgresAccount();
  let closed: string | undefined;
  for (const path of [folder, ...paths]) {
    closed ??= account && (await closedFolderAbove(path, account.uid));
  }
  if (account && closed === undefined) return { kind: "account", ...account };
  if (owner === undefined && (await namespacesWork())) return { kind: "namespace" };
  throw new BootError(
    `PostgreSQL does not run as root, and ${closed ?? folder} is closed to the account "${accountName}"; ` +
      "start as an ordinary user, choose another DATA_DIR, or set DATABASE_URL.",
  );
}

/** Runs one Postgres program as the server's account; its output becomes the error message. */
export async function runAs(
  account: ServerAccount,
  program: string,
  args: readonly string[],
): Promise<void> {
  const [command, prefix] =
    account.kind === "namespace" ? ["unshare", [...namespaceArgs, program]] : [program, []];
  const identity = account.kind === "account" ? { uid: account.uid, gid: account.gid } : {};
  try {
    // initdb and postgres refuse to start in a working folder that the account may not enter.
    await run(command, [...prefix, ...args], { ...identity, cwd: "/" });
  } catch (error) {
    const failure = error as { stderr?: string; stdout?: string; message: string };
    const output =
      (failure.stderr ?? "").trim() || (failure.stdout ?? "").trim() || failure.message;
    throw new Error(output, { cause: error });
  }
}
