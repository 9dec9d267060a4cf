/** VAT invoices, credit notes and debit notes. */
export const vatDocumentStrings = {
  names: { invoice: "VAT invoice", credit_note: "Credit note", debit_note: "Debit note" },
  list: "VAT invoices and credit notes",
  listLoadFailed: "We couldn't load your VAT invoices",
  loading: "Loading the document",
  loadFailed: "We couldn't load this document",
  goneTitle: "Document not found",
  gone: "It doesn't exist, or it belongs to another account.",
  number: "Number",
  corrects: "For invoice",
  issuedOn: "Issued on",
  /** The day the VAT counts for, when it is another one. */
  taxPoint: "Tax point",
  seller: "From",
  buyer: "To",
  company: (number: string) => `Company number ${number}`,
  vatNumber: (number: string) => `VAT number ${number}`,
  net: "Net",
  vat: (rate: string) => `VAT at ${rate}`,
  gross: { invoice: "Total", credit_note: "Credited", debit_note: "Charged again" },
  debitReason: "The refund didn't reach the card, so its credit note is taken back.",
} as const;

/** What a member wants on VAT invoices. */
export const buyerDetailsStrings = {
  open: "Buying for a business?",
  intro: "This is printed on your VAT invoices from now on, beside your name.",
  businessName: "Business name",
  address: "Business address",
  vatNumber: "VAT number",
  save: "Save",
  saved: "Saved. It will be on your next invoices.",
  failed: "We couldn't save this. Please try again.",
} as const;

/** Where a member lives, for the rate of the VAT. */
export const placeStrings = {
  country: "Country",
  choose: "Choose your country",
  postcode: "Postcode",
  missing: "Choose your country and enter your postcode.",
  why: "The VAT in your price depends on where you live.",
} as const;
