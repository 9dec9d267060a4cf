import { loadSubscriptionsPage } from "@/features/billing/public.ts";

const SubscriptionsPage = await loadSubscriptionsPage();
export default SubscriptionsPage;
