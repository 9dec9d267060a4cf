export { GuaranteeStart } from "./components/guarantee-start.tsx";
export { useGuaranteeClaim } from "./queries.ts";
