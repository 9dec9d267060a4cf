export { useClaimReferral } from "./use-claim-referral.ts";
