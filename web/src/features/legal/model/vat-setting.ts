/** How VAT is charged: not at all, at one rate that is part of the price, or as the card provider computes it. */
export const vatModes = ["none", "fixed", "stripe_tax"] as const;
export type VatMode = (typeof vatModes)[number];

export interface VatSetting {
  readonly mode: VatMode;
  /** In hundredths of a per cent. */
  readonly rateBasisPoints: number;
}

/** What an administrator begins with. */
export const noVat: VatSetting = { mode: "none", rateBasisPoints: 2000 };
