export type VerificationStatus = "none" | "pending" | "approved" | "rejected";

/** The member's latest document and what became of it. */
export interface Verification {
  readonly status: VerificationStatus;
  readonly rejectedReason: string | null;
  /** ISO time; null when there is none. */
  readonly submittedAt: string | null;
  /** How many documents were rejected so far. */
  readonly rejections: number;
}

export const maximumRejections = 5;
const warnFrom = 3;

/** Reads a status from the database; what is not known counts as none. */
export function toStatus(value: unknown): VerificationStatus {
  return value === "pending" || value === "approved" || value === "rejected" ? value : "none";
}

/** True once no further document is taken. */
export function isExhausted({ rejections }: Verification): boolean {
  return rejections >= maximumRejections;
}

/** Whether the upload form may be shown: nothing waiting, nothing approved, attempts left. */
export function mayUpload(verification: Verification): boolean {
  const { status } = verification;
  return status !== "pending" && status !== "approved" && !isExhausted(verification);
}

/** True after three and four rejections, when the member is warned of the last. */
export function isWarned({ status, rejections }: Verification): boolean {
  return status !== "approved" && rejections >= warnFrom && rejections < maximumRejections;
}
