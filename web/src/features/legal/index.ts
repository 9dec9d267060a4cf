export { publishLegalText, setBusinessDetails } from "./api/legal-texts.ts";
export { IncludingVat } from "./components/including-vat.tsx";
export { BusinessLines } from "./components/business-lines.tsx";
export { legalKinds, type BusinessDetails, type LegalKind } from "./model/legal-text.ts";
export {
  setBillingRules,
  setPauseMonths,
  setPaymentElement,
  setPaymentGrace,
} from "./api/billing-rules.ts";
export type { BillingRules } from "./model/billing-rules.ts";
export { setVat } from "./api/vat-setting.ts";
export { formatVatRate } from "./model/format-vat-rate.ts";
export { vatModes, type VatSetting } from "./model/vat-setting.ts";
export {
  useBillingRules,
  useBusinessDetails,
  useLegalText,
  useSellsYears,
  useVatSetting,
} from "./queries.ts";
export { businessStrings, legalNames, legalPageStrings } from "./strings.ts";
