/** The tests of the suite that fail over this host, by the reason that docs/compatibility.md gives. */
export const knownFailures: Readonly<Record<string, readonly string[]>> = {
  "the OAuth server is not there": [
    "GoTrueAdminApi OAuth Admin Core Lifecycle oauth client lifecycle: create, get, update, delete",
    "GoTrueAdminApi OAuth Admin Listing & Secret Regeneration listClients() returns registered OAuth clients with pagination",
    "GoTrueAdminApi OAuth Admin Listing & Secret Regeneration regenerateClientSecret() generates new secret",
    "GoTrueAdminApi OAuth Admin Error Handling createClient() returns AuthError with invalid redirect_uris",
    "GoTrueAdminApi OAuth Admin Edge Cases updateClient() accepts partial updates",
    "GoTrueAdminApi OAuth Admin Edge Cases createClient() works with minimal required fields",
    "GoTrueAdminApi OAuth Admin Edge Cases createClient() accepts multiple redirect_uris",
  ],
  "anonymous accounts are not there": [
    "signInAnonymously should successfully sign in anonymously",
    "signInAnonymously should sign in anonymously with user data",
    "Reauthentication reauthenticate() fails without session",
  ],
  "the answer would say who has an account": [
    "GoTrueClient signInWithOtp signInWithOtp() with PKCE flow should return error",
  ],
  "sign-in by phone is not there": [
    "Docker: Phone Resend resend with phone with options",
    "Docker: Phone Resend resend with phone with empty options",
    "Docker: Phone Password Auth signInWithPassword() for phone",
  ],
};
