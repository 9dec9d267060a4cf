import { loadSubscriptionsPage } from "@/features/billing/index.ts";

const SubscriptionsPage = await loadSubscriptionsPage();
export default SubscriptionsPage;
