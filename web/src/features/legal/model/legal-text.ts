/** The texts an owner edits in the console, and members may read without an account. */
export const legalKinds = ["terms", "privacy", "refunds"] as const;
export type LegalKind = (typeof legalKinds)[number];

/** The version of a legal text that is in force. */
export interface LegalText {
  readonly version: number;
  /** Markdown. */
  readonly body: string;
  /** What changed with this version; null for the first one. */
  readonly summary: string | null;
  /** Epoch milliseconds. */
  readonly publishedAt: number;
}

/** Who sells here; null is not said. */
export interface BusinessDetails {
  readonly legalName: string | null;
  /** With line breaks. */
  readonly address: string | null;
  readonly companyNumber: string | null;
  readonly vatNumber: string | null;
}
