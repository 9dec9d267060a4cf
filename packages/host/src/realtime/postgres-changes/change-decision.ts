// What one host finds out about a change for all hosts: the table's metadata, and which accounts may see the row.

/** A row of `tableMetadataSql`. */
export interface TableMetadataRow {
  hasRowSecurity: boolean;
  /** JSON text, parsed only when it differs from the last one. */
  columns: string | null;
  authorizers: string | null;
  deletesReach: string | null;
}

/** Accounts that may see a row, or all but some; of those that were asked for. Hexadecimal digits, one after the other. */
export type DecidedAccounts = { allowed: string } | { denied: string };

/** The decisions on changes to one table. */
export interface BatchDecision {
  metadata: TableMetadataRow;
  /** The roles whose privileges the metadata holds. */
  roles: readonly string[];
  changes: readonly DecidedAccounts[];
}

/** The decision on one change, as a host receives it. */
export interface ChangeDecision {
  /** When it was made, in milliseconds since the epoch. */
  at: number;
  /** What this host had announced by then: it holds for no later subscriber. */
  version: number;
  metadata: TableMetadataRow;
  roles: readonly string[];
  isVisible: (account: string | undefined) => boolean;
}

const digitsPerAccount = 32;

/** A check of what `DecidedAccounts` says. */
export function visibilityOf(decided: DecidedAccounts): ChangeDecision["isVisible"] {
  const isDenied = "denied" in decided;
  const digits = isDenied ? decided.denied : decided.allowed;
  const named = new Set<string>();
  for (let at = 0; at < digits.length; at += digitsPerAccount) {
    named.add(digits.slice(at, at + digitsPerAccount));
  }
  return (account) => account !== undefined && named.has(account) !== isDenied;
}
