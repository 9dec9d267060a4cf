export { SuccessPage as default } from "@/features/billing/public.ts";
