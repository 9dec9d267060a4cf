// Decides which account a sign-in at a provider opens: the linked one, one with the same proved address, or a new one.

import type { Queryable } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import type { ProviderAccount } from "../providers/provider-kinds.ts";
import {
  addProviderMetadata,
  findIdentityOwner,
  isAddressProved,
  updateIdentity,
  updateProviders,
} from "./identities.ts";
import { insertIdentity } from "./insert-identity.ts";
import {
  findUserByEmail,
  getUser,
  insertUser,
  invalidateLinks,
  isBanned,
  type User,
} from "./users.ts";

/** What became of a sign-in at a provider. */
export interface ProviderSignIn {
  userId: string;
  email: string;
  /** The account that got a way to sign in which it did not have. */
  linked: User | undefined;
}

function assertNotBanned(auth: AuthContext, user: User): void {
  if (isBanned(user, auth.now())) throw new AuthError(403, "user_banned", "User is banned");
}

function needsVerifiedEmail({ provider }: ProviderAccount): AuthError {
  const message = `Unverified email with ${provider}. Verify the email with ${provider} in order to sign in`;
  return new AuthError(422, "provider_email_needs_verification", message);
}

/** 422 for an account at a provider that opens an account already. */
export function identityExists(isOwn: boolean): AuthError {
  const message = isOwn
    ? "Identity is already linked"
    : "Identity is already linked to another user";
  return new AuthError(422, "identity_already_exists", message);
}

/** Reads an account and locks it until the transaction ends. */
async function lockUser(db: Queryable, id: string): Promise<User> {
  await db.query("select 1 from auth.users where id = $1 for update", [id]);
  return await getUser(db, id);
}

/**
 * Takes an account from the person who made it without proving its address: their password, passkeys, links, sessions and other
 * ways to sign in. Otherwise a person who signs up with another's address could wait for its owner and share the account. A second
 * factor goes too, but not of an account that was in use: there it protects from those who only have the mailbox.
 */
async function removeUnprovedAccess(db: Queryable, user: User): Promise<void> {
  const wasInUse = user.email_confirmed_at !== null;
  await invalidateLinks(db, user.id);
  await db.query("delete from auth.sessions where user_id = $1", [user.id]);
  await db.query("delete from auth.identities where user_id = $1", [user.id]);
  await db.query("delete from auth.webauthn_credentials where user_id = $1", [user.id]);
  await db.query("delete from auth.webauthn_challenges where user_id = $1", [user.id]);
  await db.query("delete from host.contested_sign_ups where user_id = $1", [user.id]);
  if (!wasInUse) await db.query("delete from auth.mfa_factors where user_id = $1", [user.id]);
  await db.query(
    `update auth.users set encrypted_password = null, email_change = '', email_change_sent_at = null,
       email_change_confirm_status = 0, updated_at = now(),
       email_confirmed_at = coalesce(email_confirmed_at, now()),
       raw_user_meta_data = case when $2 then raw_user_meta_data else '{}' end where id = $1`,
    [user.id, wasInUse],
  );
}

/** Signs in an account that the provider's account is linked to. */
async function openLinked(
  auth: AuthContext,
  db: Queryable,
  userId: string,
  account: ProviderAccount,
  address: string,
): Promise<ProviderSignIn> {
  const user = await lockUser(db, userId);
  assertNotBanned(auth, user);
  if (user.email_confirmed_at === null) throw needsVerifiedEmail(account);
  await updateIdentity(db, account);
  await recordAuditEvent(db, "login", user, address, { provider: account.provider });
  return { userId, email: user.email ?? "", linked: undefined };
}

/** Links the provider's account to the one with its address, which the provider says was proved. */
async function linkByAddress(
  auth: AuthContext,
  db: Queryable,
  userId: string,
  account: ProviderAccount,
  address: string,
): Promise<ProviderSignIn> {
  const user = await lockUser(db, userId);
  // The address may have changed between finding the account and locking it.
  if (user.email?.toLowerCase() !== account.email) {
    return await signInWithProvider(auth, db, account, address);
  }
  assertNotBanned(auth, user);
  const wasConfirmed = user.email_confirmed_at !== null;
  const isProved = isAddressProved(user);
  if (!isProved) await removeUnprovedAccess(db, user);
  const identityId = await insertIdentity(db, userId, account);
  await addProviderMetadata(db, await getUser(db, userId), account);
  await updateProviders(db, userId);
  const traits = {
    identity_id: identityId,
    provider: account.provider,
    provider_id: account.subject,
  };
  await recordAuditEvent(db, "identity_linked", user, address, traits);
  const action = wasConfirmed ? "login" : "user_signedup";
  await recordAuditEvent(db, action, user, address, { provider: account.provider });
  return { userId, email: user.email ?? "", linked: wasConfirmed ? user : undefined };
}

async function createAccount(
  auth: AuthContext,
  db: Queryable,
  email: string,
  account: ProviderAccount,
  address: string,
): Promise<ProviderSignIn> {
  if (!auth.settings.enable_signup) {
    throw new AuthError(422, "signup_disabled", "Signups not allowed for this instance");
  }
  const { provider } = account;
  const userId = await insertUser(db, {
    email,
    passwordHash: null,
    metadata: account.data,
    confirmed: true,
    account,
  });
  await recordAuditEvent(db, "user_signedup", { id: userId, email }, address, { provider });
  return { userId, email, linked: undefined };
}

/**
 * Finds or makes the account that an account at a provider opens, in the caller's transaction. Only an address that the
 * provider says was proved is followed, and it never replaces the account's own.
 * @throws {AuthError} 403 for a banned account, 422 for an address that was not proved, or while sign-ups are off.
 * @throws when two of the same run at once, which is worth another attempt; see `isIdentityTaken` and `isEmailTaken`.
 */
export async function signInWithProvider(
  auth: AuthContext,
  db: Queryable,
  account: ProviderAccount,
  address: string,
): Promise<ProviderSignIn> {
  const owner = await findIdentityOwner(db, account);
  if (owner !== undefined) return await openLinked(auth, db, owner, account, address);
  const { email } = account;
  if (email === undefined || !account.isEmailVerified) throw needsVerifiedEmail(account);
  const existing = await findUserByEmail(db, email);
  return existing
    ? await linkByAddress(auth, db, existing.id, account, address)
    : await createAccount(auth, db, email, account, address);
}

/**
 * Links an account at a provider to the signed-in account that asked for it, in the caller's transaction.
 * @throws {AuthError} 422 when it is linked already, 403 for a banned account.
 */
export async function linkToAccount(
  auth: AuthContext,
  db: Queryable,
  userId: string,
  account: ProviderAccount,
  address: string,
): Promise<User> {
  const user = await lockUser(db, userId);
  assertNotBanned(auth, user);
  const owner = await findIdentityOwner(db, account);
  if (owner !== undefined) throw identityExists(owner === userId);
  const identityId = await insertIdentity(db, userId, account);
  await updateProviders(db, userId);
  await recordAuditEvent(db, "identity_linked", user, address, {
    identity_id: identityId,
    provider: account.provider,
    provider_id: account.subject,
  });
  return user;
}
