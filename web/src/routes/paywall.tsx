import { loadPaywallPage } from "@/features/billing/index.ts";

const PaywallPage = await loadPaywallPage();
export default PaywallPage;
