import { randomInt } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { AuthError } from "../host/src/auth/auth-error.ts";
import { acceptEmail } from "../host/src/auth/fields.ts";
import { findWeakness } from "../host/src/auth/password-strength.ts";
import { Passwords } from "../host/src/auth/passwords.ts";
import { readAuthSettings } from "../host/src/auth/settings.ts";
import {
  confirmUser,
  findUserByEmail,
  insertUser,
  replacePassword,
} from "../host/src/auth/users.ts";
import { BootError, readHostConfig } from "../host/src/config.ts";
import { inTransaction } from "../host/src/postgres/database.ts";
import { openProject } from "../host/src/project.ts";
import { readEnvironment } from "./environment.ts";
import { withInstallDatabase } from "./install-database.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const USAGE = "Usage: npm run admin -- create EMAIL";
/** Nothing that looks like something else when it is read aloud or copied by hand. */
const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** About 110 bits, in five groups of four. */
function newPassword(): string {
  const letter = () => LETTERS[randomInt(LETTERS.length)] ?? "";
  const group = () => Array.from({ length: 4 }, letter).join("");
  return Array.from({ length: 5 }, group).join("-");
}

/**
 * Makes an administrator of an address. An account that is there already gets a new password and loses its
 * sessions: whoever signed up with the address first need not be who the operator has in mind.
 * @returns true when the account is new.
 */
async function makeAdmin(pool: pg.Pool, email: string, passwordHash: string): Promise<boolean> {
  return await inTransaction(pool, async (db) => {
    const existing = await findUserByEmail(db, email);
    if (existing) {
      await confirmUser(db, existing.id);
      await replacePassword(db, existing.id, passwordHash, undefined);
    }
    const id =
      existing?.id ??
      (await insertUser(db, { email, passwordHash, metadata: {}, confirmed: true }));
    await db.query("select private.make_admin($1)", [id]);
    return existing === undefined;
  });
}

/** `npm run admin -- create EMAIL` */
async function main(): Promise<void> {
  const [command, address, ...rest] = process.argv.slice(2);
  if (command !== "create" || address === undefined || rest.length > 0) throw new BootError(USAGE);
  const email = acceptEmail(address);
  const env = await readEnvironment(process.cwd(), process.env);
  const config = readHostConfig(env);
  const project = await openProject(ROOT);
  const rules = readAuthSettings(project, env);
  let password = newPassword();
  while (findWeakness(password, rules)) password = newPassword();
  const passwordHash = await new Passwords().hash(password);
  const isNew = await withInstallDatabase(
    config,
    join(project.folder, "migrations"),
    async (pool) => await makeAdmin(pool, email, passwordHash),
  );
  const done = isNew
    ? `${email} is a new administrator.`
    : `${email} is an administrator now; the old password and all sessions are void.`;
  process.stdout.write(
    `${done}\nOne-time password: ${password}\nSign in with it at /adminlogin and choose another.\n`,
  );
}

await main().catch((error: unknown) => {
  const known = error instanceof BootError || error instanceof AuthError;
  process.stderr.write(`${known ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exit(1);
});
