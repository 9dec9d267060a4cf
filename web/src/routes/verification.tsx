export { VerificationPage as default } from "@/features/verification/public.ts";
