import { SuccessPage } from "@/features/billing/public.ts";

export default function SuccessRoute() {
  return <SuccessPage />;
}
