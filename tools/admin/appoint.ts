import { randomInt } from "node:crypto";
import type pg from "pg";
import { openProject } from "basehost";
import {
  confirmUser,
  findUserByEmail,
  findWeakness,
  insertUser,
  passwordExpiresAt,
  PasswordHasher,
  readAuthSettings,
  replacePassword,
} from "basehost/accounts";
import { inTransaction } from "basehost/database";
import type { AdminCommand } from "./command.ts";

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
export const appoint: AdminCommand = async ({ email, env, root, withDatabase }) => {
  const rules = readAuthSettings(await openProject(root), env);
  let password = newPassword();
  while (findWeakness(password, rules)) password = newPassword();
  const passwordHash = await new PasswordHasher().hash(password);
  const isNew = await withDatabase(async (pool) => await appointAdmin(pool, email, passwordHash));
  const done = isNew
    ? `${email} is a new account and becomes an administrator with its own password.`
    : `${email} becomes an administrator with its own password; the old password, all sessions, second factors and recovery codes are void.`;
  return `${done}\nOne-time password: ${password}\nSign in with it at /adminlogin within 24 hours and choose your own password; until then it opens nothing else.`;
};
