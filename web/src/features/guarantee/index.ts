export { GuaranteeStart } from "./components/guarantee-start.tsx";
