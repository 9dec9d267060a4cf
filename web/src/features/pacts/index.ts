export { PactLine } from "./components/pact-line.tsx";
export { closePact } from "./api/close-pact.ts";
export { pactOutcomes, type ShownPact } from "./model/pact.ts";
export { dueText } from "./components/due-text.ts";
export { useRefreshPacts } from "./mutations.ts";
export { useMyPacts, useShownPacts } from "./queries.ts";
export { explainPactError, pactStrings } from "./strings.ts";
