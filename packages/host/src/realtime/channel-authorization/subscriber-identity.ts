/** The identity row-level security is evaluated for. Identities with the same key see the same rows. */
export interface SubscriberIdentity {
  role: string;
  /** The claims as JSON, as `request.jwt.claims` holds them. */
  claims: string;
  /** Role and claims in one string. */
  key: string;
  /** The `sub` claim; empty when there is none. */
  subject: string;
  /** The subject as the hexadecimal digits of its UUID; undefined when it is not a UUID. */
  account: string | undefined;
}
