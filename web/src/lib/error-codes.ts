/**
 * Codes of the backend's errors that the interface tells apart. Those that begin with FF are the product's own and
 * listed in docs/error-codes.md.
 */

/** PostgreSQL: an insert repeats a unique key. */
export const uniqueViolation = "23505";
/** The API: no connection to the database became free in time. */
export const poolTimeout = "PGRST003";
/** The authentication server: the account is suspended. */
export const userBanned = "user_banned";
/** The stand-in client: no backend is configured. */
export const mockClientCode = "MOCK_CLIENT";

/** The access token is not good any more, such as after its key was revoked. */
export const tokenRefused = "PGRST301";
/** The session has ended. */
export const sessionEnded = "FF003";
/** The session has to show a second factor. */
export const secondFactorDue = "FF004";
/** An administrator has no second factor and may set one up now. */
export const firstFactorDue = "FF008";
/** An administrator has no second factor and needs a link from the mailbox to set one up. */
export const firstFactorLinkDue = "FF009";
/** The auth server: a password alone does not set up the first second factor of an administrator. */
export const firstFactorRefused = "PT403";
/** An administrator has to show a second factor before documents open. */
export const adminSecondFactorDue = "FF005";
/** Onboarding cannot be completed without an active membership. */
export const membershipInactive = "FF101";
/** Onboarding cannot be completed without the required answers. */
export const answersMissing = "FF102";
/** Onboarding cannot be completed without an identity document. */
export const documentMissing = "FF103";
/** Nothing is waiting for this decision: another administrator has decided. */
export const alreadyDecided = "FF121";
/** Administrators do not review their own documents. */
export const ownDocument = "FF124";
/** The file is not the one the member submitted. */
export const documentReplaced = "FF125";
/** The file has changed since the reviewer opened it. */
export const documentChanged = "FF126";
/** There is no such account, or it was deleted. */
export const accountMissing = "FF510";
/** A rate limit of the database. The message names the time to wait. */
export const rateLimited = "FF300";
