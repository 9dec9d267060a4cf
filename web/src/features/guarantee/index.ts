export { GuaranteePanel } from "./components/guarantee-panel.tsx";
