/**
 * `basehost/accounts`: accounts and passwords for commands that work on the database of an install, by the rules of
 * `/auth/v1`. They run as the owner of the database and check no permission.
 */
export { insertFactor } from "./auth/mfa/factors.ts";
export { decryptSecret, encryptSecret } from "./auth/mfa/totp.ts";
export { AuthError } from "./auth/auth-error.ts";
export { assertStrongPassword, findWeakness } from "./auth/passwords/password-strength.ts";
export { PasswordHasher } from "./auth/passwords/passwords.ts";
export { parseEmail } from "./auth/routes/request-fields.ts";
export { readAuthSettings } from "./auth/settings.ts";
export {
  confirmUser,
  findUserByEmail,
  insertUser,
  passwordExpiresAt,
  replacePassword,
} from "./auth/users/users.ts";
