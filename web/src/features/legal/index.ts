export { publishLegalText, setBusinessDetails } from "./api/legal-texts.ts";
export { BusinessLines } from "./components/business-lines.tsx";
export {
  legalKinds,
  type BusinessDetails,
  type LegalKind,
  type LegalText,
} from "./model/legal-text.ts";
export { useBusinessDetails, useLegalText } from "./queries.ts";
export { businessStrings, legalNames, legalPageStrings } from "./strings.ts";
