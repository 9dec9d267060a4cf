/** What a link in an e-mail is for, as the auth service calls it. */
const linkTypes = ["signup", "recovery", "email_change", "invite"] as const;

export type EmailLinkType = (typeof linkTypes)[number];

/** A link of an e-mail, as it stands in the address of `/confirm`. */
export interface EmailLink {
  readonly type: EmailLinkType;
  readonly tokenHash: string;
}

/** The link in the query of an address; null when it is incomplete or of no kind we send. */
export function emailLinkIn(search: string): EmailLink | null {
  const query = new URLSearchParams(search);
  const tokenHash = query.get("token_hash") ?? "";
  const type = linkTypes.find((known) => known === query.get("type"));
  return type === undefined || !/^[\w.~-]{1,512}$/.test(tokenHash) ? null : { type, tokenHash };
}
