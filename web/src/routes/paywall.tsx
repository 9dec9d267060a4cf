export { PaywallPage as default } from "@/features/billing/public.ts";
