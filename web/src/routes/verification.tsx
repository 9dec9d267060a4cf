import { VerificationPage } from "@/features/verification/public.ts";

export default function VerificationRoute() {
  return <VerificationPage />;
}
