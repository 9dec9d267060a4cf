/** Every text of identity verification that others rely on word for word. */
export const verificationStrings = {
  wrongType: "Please upload a JPG, PNG, or PDF file.",
  unreadable: "This file couldn't be read. Please choose another photo, scan or PDF.",
  tooLarge: "File size must be less than 10MB.",
  noFile: "Please select a file to upload.",
  uploadFailed: "Failed to upload document. Please try again.",
  uploadFailedOnboarding: "Failed to upload verification document. Please try again.",
  uploaded: "Document uploaded successfully! Verification typically takes 24-48 hours.",
  exhausted: "Maximum verification attempts exceeded. Please contact support for assistance.",
  exhaustedOnboarding: "Maximum verification attempts exceeded. Please contact support.",
} as const;

/** What a status means to the member. */
export const statusTexts = {
  approved: "Your identity has been verified successfully!",
  rejected: "Your document was rejected. Please upload a new document.",
  pending: "Your document is being reviewed. This typically takes 24-48 hours.",
  none: "Please upload a valid identity document for verification.",
} as const;

/** Said from the third to the fourth rejection. */
export function attemptsWarning(rejections: number): string {
  return `Warning: ${rejections}/5 verification attempts used. Account will be removed after 5 consecutive failures.`;
}
