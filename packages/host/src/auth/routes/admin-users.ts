// Routes of the service role that create, read, change, ban and delete a single account (`/admin/users`).

import { randomBytes } from "node:crypto";
import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import {
  adminBody,
  checkAdminFields,
  type AdminChanges,
  type AdminFields,
} from "./admin-fields.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { mergeUserMetadata } from "./request-fields.ts";
import { isUuid } from "../../uuid.ts";
import { assertStrongPassword } from "../passwords/password-strength.ts";
import { readBody } from "./request-body.ts";
import { addEmailIdentity } from "../users/identities.ts";
import { userJson } from "../users/user-json.ts";
import { userFromPath } from "../users/user-from-path.ts";
import {
  confirmUser,
  emailExists,
  getUser,
  insertUser,
  isEmailTaken,
  replacePassword,
  setEmailIdentity,
} from "../users/users.ts";
import { sqlStates } from "../../postgres/sql-states.ts";

const deleteBody = z.object({ should_soft_delete: z.boolean().nullish() });

/** The hash of the password in the request; undefined when it has none. */
async function passwordHashFrom(
  auth: AuthContext,
  fields: AdminFields,
  email: string,
): Promise<string | undefined> {
  if (fields.password_hash !== "") return fields.password_hash;
  if (fields.password === "") return undefined;
  await assertStrongPassword(fields.password, auth.settings, { email, siteWords: auth.siteWords });
  return await auth.passwords.hash(fields.password);
}

async function setBan(auth: AuthContext, db: Queryable, id: string, banMs: number): Promise<void> {
  await db.query("update auth.users set banned_until = $2, updated_at = now() where id = $1", [
    id,
    banMs === 0 ? null : new Date(auth.now() + banMs),
  ]);
}

/** `POST /admin/users`: creates an account with the given fields. */
export function adminCreateUser(auth: AuthContext): Handler {
  return async (c) => {
    const fields = await readBody(c, adminBody);
    const { email, role, banMs } = checkAdminFields(fields);
    if (email === undefined) {
      throw validationFailed("Cannot create a user without either an email or phone");
    }
    if (fields.id !== "" && !isUuid(fields.id)) {
      throw validationFailed("ID must conform to the uuid v4 format");
    }
    const passwordHash =
      (await passwordHashFrom(auth, fields, email)) ??
      (await auth.passwords.hash(randomBytes(32).toString("base64url")));
    try {
      const id = await inTransaction(auth.db.admin, async (db) => {
        const userId = await insertUser(db, {
          email,
          passwordHash,
          metadata: mergeUserMetadata({}, fields.user_metadata ?? {}),
          appMetadata: mergeUserMetadata({}, fields.app_metadata ?? {}),
          confirmed: fields.email_confirm === true,
          ...(role === undefined ? {} : { role }),
          ...(fields.id === "" ? {} : { id: fields.id.toLowerCase() }),
        });
        if (banMs !== undefined) await setBan(auth, db, userId, banMs);
        const traits = { user_id: userId, user_email: email };
        await recordAuditEvent(db, "user_signedup", "service_role", auth.clientAddress(c), traits);
        return userId;
      });
      return c.json(userJson(await getUser(auth.db.admin, id)));
    } catch (error) {
      if (isEmailTaken(error)) throw emailExists();
      if ((error as { code?: string }).code === sqlStates.uniqueViolation) {
        throw new AuthError(422, "user_already_exists", "A user with this ID already exists");
      }
      throw error;
    }
  };
}

/** `GET /admin/users/:id`: one account. */
export function adminGetUser(auth: AuthContext): Handler {
  return async (c) => c.json(userJson(await userFromPath(auth, c)));
}

async function applyChanges(
  auth: AuthContext,
  db: Queryable,
  id: string,
  fields: AdminFields,
  { email, role, banMs }: AdminChanges,
): Promise<void> {
  await db.query("select 1 from auth.users where id = $1 for update", [id]);
  const user = await getUser(db, id);
  if (email !== undefined) {
    await db.query("update auth.users set email = $2, email_change = '' where id = $1", [
      id,
      email,
    ]);
    await setEmailIdentity(db, id, email, fields.email_confirm === true);
  }
  if (fields.email_confirm === true) await confirmUser(db, id);
  if (role !== undefined) {
    await db.query("update auth.users set role = $2 where id = $1", [id, role]);
  }
  // Read again: confirming the address has changed the metadata.
  const { raw_app_meta_data: app, raw_user_meta_data: own } = await getUser(db, user.id);
  await db.query(
    `update auth.users set raw_app_meta_data = $2, raw_user_meta_data = $3, updated_at = now()
      where id = $1`,
    [
      id,
      JSON.stringify(mergeUserMetadata(app ?? {}, fields.app_metadata ?? {})),
      JSON.stringify(mergeUserMetadata(own ?? {}, fields.user_metadata ?? {})),
    ],
  );
  if (banMs !== undefined) await setBan(auth, db, id, banMs);
}

/** `PUT /admin/users/:id`: changes address, password, role, metadata, confirmation and ban of an account. */
export function adminUpdateUser(auth: AuthContext): Handler {
  return async (c) => {
    const user = await userFromPath(auth, c);
    const fields = await readBody(c, adminBody);
    const changes = checkAdminFields(fields);
    const passwordHash = await passwordHashFrom(auth, fields, changes.email ?? user.email ?? "");
    try {
      await inTransaction(auth.db.admin, async (db) => {
        await applyChanges(auth, db, user.id, fields, changes);
        // A password set by the service role ends every session of the account.
        if (passwordHash !== undefined) {
          await replacePassword(db, user.id, passwordHash, undefined);
          await addEmailIdentity(db, await getUser(db, user.id));
        }
        const traits = { user_id: user.id, user_email: user.email };
        await recordAuditEvent(db, "user_modified", "service_role", auth.clientAddress(c), traits);
      });
    } catch (error) {
      throw isEmailTaken(error) ? emailExists() : error;
    }
    return c.json(userJson(await getUser(auth.db.admin, user.id)));
  };
}

/** Keeps the row, so that references to it stay valid, and removes all personal data. */
async function softDeleteUser(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update auth.users set email = encode(sha256(convert_to(id::text || email, 'utf8')), 'hex'),
       encrypted_password = null, email_change = '', raw_user_meta_data = '{}', raw_app_meta_data = '{}',
       deleted_at = now(), updated_at = now()
     where id = $1 and deleted_at is null`,
    [id],
  );
  await db.query(
    `update auth.identities set identity_data = '{}',
       provider_id = encode(sha256(convert_to(id::text || provider_id, 'utf8')), 'hex') where user_id = $1`,
    [id],
  );
  const tables = [
    "one_time_tokens",
    "sessions",
    "flow_state",
    "webauthn_credentials",
    "webauthn_challenges",
  ];
  for (const table of tables) {
    await db.query(`delete from auth.${table} where user_id = $1`, [id]);
  }
  await db.query("delete from auth.flow_state where linking_target_id = $1", [id]);
}

/** `DELETE /admin/users/:id`: deletes an account, or with `should_soft_delete` anonymises it. */
export function adminDeleteUser(auth: AuthContext): Handler {
  return async (c) => {
    const user = await userFromPath(auth, c);
    const fields = await readBody(c, deleteBody, "optional");
    await inTransaction(auth.db.admin, async (db) => {
      const traits = { user_id: user.id, user_email: user.email };
      await recordAuditEvent(db, "user_deleted", "service_role", auth.clientAddress(c), traits);
      if (fields.should_soft_delete === true) await softDeleteUser(db, user.id);
      else await db.query("delete from auth.users where id = $1", [user.id]);
    });
    return c.json({});
  };
}
