import { loadPaywallPage } from "@/features/billing/public.ts";

const PaywallPage = await loadPaywallPage();
export default PaywallPage;
