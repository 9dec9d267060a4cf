import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { BootError } from "../config.ts";

const run = promisify(execFile);
const accountName = "postgres";
// Any id but 0 will do: it only has to look like an ordinary user from the inside.
const namespaceArgs = ["--user", "--map-user=1000", "--map-group=1000"];

/** As whom Postgres runs. It refuses to run as root. */
export type ServerAccount =
  /** We are an ordinary user ourselves. */
  | { kind: "own" }
  /** An account of the system, for a start under root. */
  | { kind: "account"; uid: number; gid: number }
  /** Under root, in a user namespace: files stay root's, the server sees itself as an ordinary user. */
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

/** The nearest folder above `path` that `uid` may not pass through. */
async function closedFolderAbove(path: string, uid: number): Promise<string | undefined> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    // A folder that is still to be made will be made so that the account can pass.
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
 * Chooses as whom Postgres runs over `folder`; a folder that exists keeps the choice made for it.
 * @param paths what the server must be able to reach.
 * @throws {BootError} when there is no way to run it, saying what to do.
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

/** Runs one Postgres program as the server's account; its last words become the error. */
export async function runAs(
  account: ServerAccount,
  program: string,
  args: readonly string[],
): Promise<void> {
  const [command, prefix] =
    account.kind === "namespace" ? ["unshare", [...namespaceArgs, program]] : [program, []];
  const identity = account.kind === "account" ? { uid: account.uid, gid: account.gid } : {};
  try {
    // The working folder must be one the account may enter, or initdb and postgres refuse to start.
    await run(command, [...prefix, ...args], { ...identity, cwd: "/" });
  } catch (error) {
    const output = error as { stderr?: string; stdout?: string; message: string };
    const words = (output.stderr ?? "").trim() || (output.stdout ?? "").trim() || output.message;
    throw new Error(words, { cause: error });
  }
}
