import { SubscriptionsPage } from "@/features/billing/public.ts";

export default function SubscriptionsRoute() {
  return <SubscriptionsPage />;
}
