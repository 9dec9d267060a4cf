// Lists, renames and removes passkeys, for their owner or the service role.

import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction } from "../../postgres/database.ts";
import { isUuid } from "../../uuid.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireUserWithSession } from "../mfa/factors.ts";
import { notifyOfWayIn } from "../routes/identities.ts";
import { optionalText, readBody } from "../routes/request-body.ts";
import { userFromPath } from "../users/user-from-path.ts";
import { listPasskeys, passkeyJson, passkeyNotFound, type StoredPasskey } from "./passkeys.ts";
import { assertMayChangePasskeys } from "./register-passkey.ts";

const maxNameLength = 120;
const nameBody = z.object({ friendly_name: optionalText });

/** `GET /passkeys`: those of the caller. */
export function readPasskeys(auth: AuthContext): Handler {
  return async (c) => {
    const { user } = await requireUserWithSession(auth, c);
    return c.json((await listPasskeys(auth.db.admin, user.id)).map(passkeyJson));
  };
}

/** `PATCH /passkeys/:passkey`: gives one of the caller's another name. */
export function updatePasskey(auth: AuthContext): Handler {
  return async (c) => {
    const { user } = await requireUserWithSession(auth, c);
    const id = c.req.param("passkey") ?? "";
    if (!isUuid(id)) throw passkeyNotFound();
    const { friendly_name: name } = await readBody(c, nameBody);
    if (name.trim() === "") throw validationFailed("friendly_name is required");
    if (name.length > maxNameLength) {
      throw validationFailed(`friendly_name must be ${maxNameLength} characters or less`);
    }
    const renamed = await inTransaction(auth.db.admin, async (db) => {
      const { rows } = await db.query<StoredPasskey>(
        `update auth.webauthn_credentials set friendly_name = $3, updated_at = now()
          where id = $1 and user_id = $2 returning *`,
        [id, user.id, name.trim()],
      );
      if (rows[0] === undefined) throw passkeyNotFound();
      const traits = { passkey_id: id };
      await recordAuditEvent(db, "passkey_updated", user, auth.clientAddress(c), traits);
      return rows[0];
    });
    return c.json(passkeyJson(renamed));
  };
}

/** Removes a passkey and ends the account's other sessions that it may have begun. */
async function removePasskey(
  auth: AuthContext,
  options: { userId: string; id: string; keepSession: string | undefined },
  actor: { id: string; email: string | null } | "service_role",
  address: string,
): Promise<void> {
  const { userId, id, keepSession } = options;
  if (!isUuid(id)) throw passkeyNotFound();
  await inTransaction(auth.db.admin, async (db) => {
    await db.query("select 1 from auth.users where id = $1 for update", [userId]);
    const { rowCount } = await db.query(
      "delete from auth.webauthn_credentials where id = $1 and user_id = $2",
      [id, userId],
    );
    if (rowCount !== 1) throw passkeyNotFound();
    await db.query(
      `delete from auth.sessions s where s.user_id = $1 and s.id is distinct from $2::uuid and exists (
         select from auth.mfa_amr_claims a where a.session_id = s.id and a.authentication_method = 'passkey')`,
      [userId, keepSession ?? null],
    );
    const traits = { passkey_id: id, user_id: userId };
    await recordAuditEvent(db, "passkey_deleted", actor, address, traits);
  });
}

/** `DELETE /passkeys/:passkey`: removes one of the caller's. */
export function deletePasskey(auth: AuthContext): Handler {
  return async (c) => {
    const caller = await requireUserWithSession(auth, c);
    assertMayChangePasskeys(caller);
    const { user, session } = caller;
    const id = c.req.param("passkey") ?? "";
    const options = { userId: user.id, id, keepSession: session.id };
    await removePasskey(auth, options, user, auth.clientAddress(c));
    notifyOfWayIn(auth, "identity_unlinked", user, "a passkey");
    return c.body(null, 204);
  };
}

/** `GET /admin/users/:id/passkeys`: those of an account; service role only. */
export function adminListPasskeys(auth: AuthContext): Handler {
  return async (c) => {
    const user = await userFromPath(auth, c);
    return c.json((await listPasskeys(auth.db.admin, user.id)).map(passkeyJson));
  };
}

/** `DELETE /admin/users/:id/passkeys/:passkey`: removes one of an account; service role only. */
export function adminDeletePasskey(auth: AuthContext): Handler {
  return async (c) => {
    const user = await userFromPath(auth, c);
    const id = c.req.param("passkey") ?? "";
    const options = { userId: user.id, id, keepSession: undefined };
    await removePasskey(auth, options, "service_role", auth.clientAddress(c));
    notifyOfWayIn(auth, "identity_unlinked", user, "a passkey");
    return c.body(null, 204);
  };
}
