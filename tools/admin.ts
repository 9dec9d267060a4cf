import { randomInt } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { BootError, openProject, readHostConfig } from "basehost";
import {
  AuthError,
  confirmUser,
  findUserByEmail,
  findWeakness,
  insertUser,
  parseEmail,
  passwordExpiresAt,
  PasswordHasher,
  readAuthSettings,
  replacePassword,
} from "basehost/accounts";
import { inTransaction } from "basehost/database";
import { readEnvironment } from "./environment.ts";
import { withInstanceDatabase } from "./instance-database.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const usage = "Usage: npm run admin -- create EMAIL";
/** Without characters that are easily confused with others, such as l and 1. */
const passwordLetters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** How long a one-time password is valid. */
const oneTimePasswordLifeMs = 24 * 3_600_000;

/** About 110 bits, in five groups of four. */
function newPassword(): string {
  const letter = () => passwordLetters[randomInt(passwordLetters.length)] ?? "";
  const group = () => Array.from({ length: 4 }, letter).join("");
  return Array.from({ length: 5 }, group).join(".");
}

/**
 * Appoints the account of an address. It becomes an administrator once it has replaced its one-time password.
 * An existing account gets the new password and loses its sessions, second factors and recovery codes, because it may
 * have had another holder, or a holder who has lost the phone.
 * @returns true when the account is new.
 */
async function appointAdmin(pool: pg.Pool, email: string, passwordHash: string): Promise<boolean> {
  return await inTransaction(pool, async (db) => {
    const existing = await findUserByEmail(db, email);
    if (existing) {
      await confirmUser(db, existing.id);
      await replacePassword(db, existing.id, passwordHash, undefined);
      await db.query("delete from auth.mfa_factors where user_id = $1", [existing.id]);
      await db.query("delete from private.recovery_codes where user_id = $1", [existing.id]);
    }
    const id =
      existing?.id ??
      (await insertUser(db, { email, passwordHash, metadata: {}, confirmed: true }));
    const expiresAt = new Date(Date.now() + oneTimePasswordLifeMs).toISOString();
    await db.query(
      `update auth.users set raw_app_meta_data =
         coalesce(raw_app_meta_data, '{}') || jsonb_build_object($2::text, $3::text) where id = $1`,
      [id, passwordExpiresAt, expiresAt],
    );
    await db.query("select private.appoint_admin($1, $2)", [id, expiresAt]);
    return existing === undefined;
  });
}

/** `npm run admin -- create EMAIL` */
async function main(): Promise<void> {
  const [command, address, ...rest] = process.argv.slice(2);
  if (command !== "create" || address === undefined || rest.length > 0) throw new BootError(usage);
  const email = parseEmail(address);
  const env = await readEnvironment(process.cwd(), process.env);
  const config = readHostConfig(env);
  const project = await openProject(root);
  const rules = readAuthSettings(project, env);
  let password = newPassword();
  while (findWeakness(password, rules)) password = newPassword();
  const passwordHash = await new PasswordHasher().hash(password);
  const isNew = await withInstanceDatabase(
    config,
    join(project.folder, "migrations"),
    async (pool) => await appointAdmin(pool, email, passwordHash),
  );
  const done = isNew
    ? `${email} is a new account and becomes an administrator with its own password.`
    : `${email} becomes an administrator with its own password; the old password, all sessions, second factors and recovery codes are void.`;
  process.stdout.write(
    `${done}\nOne-time password: ${password}\nSign in with it at /adminlogin within 24 hours and choose your own password; until then it opens nothing else.\n`,
  );
}

await main().catch((error: unknown) => {
  const known = error instanceof BootError || error instanceof AuthError;
  process.stderr.write(`${known ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exit(1);
});
