const accepted = 200;
const refused = 401;

/** Whether hosts refuse a token once what signed it is revoked, which shows something only of one that they accepted before. */
export interface RevokedTokens {
  /** Requests with a token of what was revoked, one to each host, and how many of them were not refused. */
  revokedTried: number;
  revokedAccepted: number;
  /** Tokens that were missing, or that a host refused before what signed them was revoked. */
  unusableTokens: string[];
}

/**
 * Looks for the token that what is about to be revoked has signed, and asks each host with it.
 * @param statuses asks each host
 * @returns the token; undefined, with the reason in the figures, where refusals of it would show nothing
 */
export async function tokenBeforeRevoking(
  figures: RevokedTokens,
  signer: string,
  token: string | undefined,
  statuses: (token: string) => Promise<number[]>,
): Promise<string | undefined> {
  if (token === undefined) {
    figures.unusableTokens.push(`there was no token of the ${signer}`);
    return undefined;
  }
  const others = (await statuses(token)).filter((status) => status !== accepted);
  if (others.length === 0) return token;
  const answers = others.join(", ");
  figures.unusableTokens.push(`a token of the ${signer} was answered with ${answers} before`);
  return undefined;
}

/** Asks each host with a token of what is revoked. */
export async function tryRevoked(
  figures: RevokedTokens,
  token: string,
  statuses: (token: string) => Promise<number[]>,
): Promise<void> {
  for (const status of await statuses(token)) {
    figures.revokedTried++;
    if (status !== refused) figures.revokedAccepted++;
  }
}
