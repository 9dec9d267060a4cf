export { VerificationPage as default } from "@/features/verification/index.ts";
