/**
 * Every address of the product in one table. This file imports nothing, so that features may
 * name an address without depending on the router.
 */
export const paths = {
  landing: "/",
  auth: "/auth",
  signUp: "/signup",
  signIn: "/signin",
  adminSignIn: "/adminlogin",
  resetPassword: "/reset-password",
  updatePassword: "/update-password",
  account: "/account",
  paywall: "/paywall",
  success: "/success",
  onboarding: "/onboarding",
  dashboard: "/dashboard",
  studentDashboard: "/studentdash",
  mentorDashboard: "/mentordash",
  adminDashboard: "/admindash",
  adminMembers: "/admindash/members",
  adminQueues: "/admindash/queues",
  adminContent: "/admindash/content",
  adminMoney: "/admindash/money",
  adminSettings: "/admindash/settings",
  adminAudit: "/admindash/audit",
  chats: "/chats",
  members: "/members",
  learning: "/learning",
  submissions: "/learning/submissions",
  newSubmission: "/learning/create",
  studio: "/studio",
  studioImport: "/studio/import",
  studioAnalytics: "/studio/analytics",
  training: "/studio/training",
  affiliates: "/affiliates",
  subscriptions: "/subscriptions",
  progress: "/progress",
  guarantee: "/guarantee",
  verification: "/verification",
} as const;

/** The page that a member's affiliate link leads to. */
export function invitationPath(code: string): string {
  return `/join/${code}`;
}

/** The receipt of an invoice, or the invoice while it is unpaid. */
export function receiptPath(invoiceId: string): string {
  return `${paths.subscriptions}/invoices/${invoiceId}`;
}

/** The profile of a member. */
export function memberPath(memberId: string): string {
  return `${paths.members}/${memberId}`;
}

/** The analytics of a course. */
export function courseAnalyticsPath(courseId: string): string {
  return `${paths.studioAnalytics}/${courseId}`;
}

/** A course of the mentors' training. */
export function trainingCoursePath(courseId: string): string {
  return `${paths.training}/${courseId}`;
}

/** A draft in the studio. */
export function studioDraftPath(draftId: string): string {
  return `${paths.studio}/${draftId}`;
}

/** A draft as members will see it. */
export function studioPreviewPath(draftId: string): string {
  return `${studioDraftPath(draftId)}/preview`;
}

/** The console's list of members with the panel of one of them open. */
export function adminMemberPath(memberId: string): string {
  return `${paths.adminMembers}?member=${memberId}`;
}

/** The audit log about one account. */
export function adminAuditPath(memberId: string): string {
  return `${paths.adminAudit}?about=${memberId}`;
}

/** The home of each role. */
export const dashboardOf = {
  admin: paths.adminDashboard,
  mentor: paths.mentorDashboard,
  student: paths.studentDashboard,
} as const;
