import { z } from "zod";
import { invalid } from "../auth-error.ts";
import { parseDuration } from "../duration.ts";
import { acceptEmail } from "./request-fields.ts";
import { isUsableHash } from "../passwords/passwords.ts";
import { jsonObject, text } from "./request-body.ts";

const ROLE = /^[a-z_][a-z0-9_]{0,62}$/;

/** What the service role may say about an account. */
export const adminBody = z.object({
  id: text,
  role: text,
  email: text,
  phone: text,
  password: text,
  password_hash: text,
  email_confirm: z.boolean().nullish(),
  user_metadata: jsonObject,
  app_metadata: jsonObject,
  ban_duration: text,
});

/** The body of a request about an account, read but not yet checked. */
export type AdminFields = z.output<typeof adminBody>;

/** The checked parts of it; undefined where nothing was said. */
export interface AdminChanges {
  email: string | undefined;
  role: string | undefined;
  /** Milliseconds; 0 lifts a ban. */
  banMs: number | undefined;
}

/** @throws {AuthError} 400 for what cannot be accepted. */
export function checkAdminFields(fields: AdminFields): AdminChanges {
  if (fields.phone !== "") throw invalid("Phone accounts are not supported");
  if (fields.role !== "" && !ROLE.test(fields.role)) throw invalid("Invalid role");
  if (fields.password !== "" && fields.password_hash !== "") {
    throw invalid("Only a password or a password hash should be provided");
  }
  if (fields.password_hash !== "" && !isUsableHash(fields.password_hash)) {
    throw invalid("Only argon2 and bcrypt password hashes are supported");
  }
  const ban = fields.ban_duration;
  const banMs = ban === "none" ? 0 : ban === "" ? undefined : parseDuration(ban);
  if (ban !== "" && (banMs === undefined || banMs < 0)) {
    throw invalid("invalid format for ban duration");
  }
  return {
    email: fields.email === "" ? undefined : acceptEmail(fields.email),
    role: fields.role === "" ? undefined : fields.role,
    banMs,
  };
}
