export { GuaranteePanel } from "./components/guarantee-panel.tsx";
export { GuaranteeStart } from "./components/guarantee-start.tsx";
