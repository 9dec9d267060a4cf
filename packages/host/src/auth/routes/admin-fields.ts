// Validates the request bodies of `POST /admin/users` and `PUT /admin/users/:id`.

import { z } from "zod";
import { validationFailed } from "../auth-error.ts";
import { parseDuration } from "../duration.ts";
import { parseEmail } from "./request-fields.ts";
import { isUsableHash } from "../passwords/passwords.ts";
import { jsonObject, optionalText } from "./request-body.ts";

const rolePattern = /^[a-z_][a-z0-9_]{0,62}$/;

/** Fields of an account that the service role may set. */
export const adminBody = z.object({
  id: optionalText,
  role: optionalText,
  email: optionalText,
  phone: optionalText,
  password: optionalText,
  password_hash: optionalText,
  email_confirm: z.boolean().nullish(),
  user_metadata: jsonObject,
  app_metadata: jsonObject,
  ban_duration: optionalText,
});

/** The parsed request body, not yet checked. */
export type AdminFields = z.output<typeof adminBody>;

/** The checked fields; undefined where not given. */
export interface AdminChanges {
  email: string | undefined;
  role: string | undefined;
  /** Milliseconds; 0 lifts a ban. */
  banMs: number | undefined;
}

/** @throws {AuthError} 400 for an invalid field. */
export function checkAdminFields(fields: AdminFields): AdminChanges {
  if (fields.phone !== "") throw validationFailed("Phone accounts are not supported");
  if (fields.role !== "" && !rolePattern.test(fields.role)) throw validationFailed("Invalid role");
  if (fields.password !== "" && fields.password_hash !== "") {
    throw validationFailed("Only a password or a password hash should be provided");
  }
  if (fields.password_hash !== "" && !isUsableHash(fields.password_hash)) {
    throw validationFailed("Only argon2 and bcrypt password hashes are supported");
  }
  const ban = fields.ban_duration;
  const banMs = ban === "none" ? 0 : ban === "" ? undefined : parseDuration(ban);
  if (ban !== "" && (banMs === undefined || banMs < 0)) {
    throw validationFailed("invalid format for ban duration");
  }
  return {
    email: fields.email === "" ? undefined : parseEmail(fields.email),
    role: fields.role === "" ? undefined : fields.role,
    banMs,
  };
}
