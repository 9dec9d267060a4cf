import { PaywallPage } from "@/features/billing/public.ts";

export default function PaywallRoute() {
  return <PaywallPage />;
}
