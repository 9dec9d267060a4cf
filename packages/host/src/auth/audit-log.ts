// Writes entries of `auth.audit_log_entries` in GoTrue's format; `routes/audit-log.ts` reads them.

import type { Queryable } from "../postgres/database.ts";

const logTypes = {
  login: "account",
  logout: "account",
  user_signedup: "team",
  user_invited: "team",
  user_deleted: "team",
  user_modified: "user",
  user_recovery_requested: "user",
  user_reauthenticate_requested: "user",
  user_confirmation_requested: "user",
  user_repeated_signup: "user",
  user_updated_password: "user",
  identity_linked: "user",
  identity_unlinked: "user",
  passkey_created: "user",
  passkey_updated: "user",
  passkey_deleted: "user",
  token_reused: "token",
  factor_in_progress: "factor",
  challenge_created: "factor",
  verification_attempted: "factor",
  factor_unenrolled: "factor",
  factor_deleted: "factor",
} as const;

/** Actions recorded in the audit log. */
export type AuditAction = keyof typeof logTypes;

/**
 * Adds an entry to the audit log, in the caller's transaction if there is one.
 * @param actor the account that acted, or the service role.
 */
export async function recordAuditEvent(
  db: Queryable,
  action: AuditAction,
  actor: { id: string; email: string | null } | "service_role",
  address: string,
  traits: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const actorFields =
    actor === "service_role"
      ? { actor_id: "00000000-0000-0000-0000-000000000000", actor_username: "service_role" }
      : { actor_id: actor.id, actor_username: actor.email ?? "" };
  const payload = {
    ...actorFields,
    action,
    log_type: logTypes[action],
    actor_via_sso: false,
    traits,
  };
  await db.query("insert into auth.audit_log_entries (payload, ip_address) values ($1, $2)", [
    JSON.stringify(payload),
    address.slice(0, 64),
  ]);
}
