export { SubscriptionsPage as default } from "@/features/billing/public.ts";
