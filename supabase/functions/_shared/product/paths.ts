/**
 * Every address of the product in one table, for the app and for the links of e-mails and push messages. This file imports nothing, so that features may
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
  confirm: "/confirm",
  unsubscribe: "/unsubscribe",
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
  messages: "/messages",
  collaborate: "/collaborate",
  members: "/members",
  learning: "/learning",
  submissions: "/learning/submissions",
  newSubmission: "/learning/create",
  pacts: "/learning/pacts",
  newPact: "/learning/pacts/new",
  studio: "/studio",
  studioImport: "/studio/import",
  studioAnalytics: "/studio/analytics",
  training: "/studio/training",
  studioSelling: "/studio/selling",
  yourCourses: "/your-courses",
  gifts: "/gifts",
  affiliates: "/affiliates",
  subscriptions: "/subscriptions",
  progress: "/progress",
  progressGuarantee: "/progress/guarantee",
  achievements: "/achievements",
  verify: "/verify",
  guarantee: "/guarantee",
  terms: "/terms",
  privacy: "/privacy",
  refunds: "/refunds",
  verification: "/verification",
} as const;

/** The form for another card, open; signing in on the way leads to it. */
export const cardFormPath = `${paths.subscriptions}?card=update`;

/** The page that a member's affiliate link leads to. */
export function invitationPath(code: string): string {
  return `/join/${code}`;
}

/** The public page of a course that is sold. */
export function salePath(slug: string): string {
  return `/c/${slug}`;
}

/** Where a course is paid for. */
export function courseCheckoutPath(slug: string): string {
  return `${salePath(slug)}/buy`;
}

/** A course that the reader bought. */
export function boughtCoursePath(courseId: string): string {
  return `${paths.yourCourses}/${courseId}`;
}

/** The receipt of a bought course. */
export function courseReceiptPath(purchaseId: string): string {
  return `${paths.yourCourses}/receipts/${purchaseId}`;
}

/** The receipt of an invoice, or the invoice while it is unpaid. */
export function receiptPath(invoiceId: string): string {
  return `${paths.subscriptions}/invoices/${invoiceId}`;
}

/** A VAT invoice, credit note or debit note. */
export function vatDocumentPath(number: string): string {
  return `${paths.subscriptions}/documents/${number}`;
}

/** One's own certificate of a finished course. */
export function certificatePath(certificateId: string): string {
  return `/certificates/${certificateId}`;
}

/** The public page that says whether a certificate is real. */
export function verificationPath(code: string): string {
  return `${paths.verify}/${code}`;
}

/** The public page of a card that a member shares. */
export function sharedCardPath(code: string): string {
  return `/shared/${code}`;
}

/** One submission. */
export function submissionPath(submissionId: string): string {
  return `${paths.submissions}?submission=${submissionId}`;
}

/** One submission with its comments open. */
export function submissionCommentsPath(submissionId: string): string {
  return `${submissionPath(submissionId)}&comments=open`;
}

/** The form for the submission that tells how a pact went. */
export function outcomePath(pactId: string): string {
  return `${paths.newSubmission}?pact=${pactId}`;
}

/** The profile of a member. */
export function memberPath(memberId: string): string {
  return `${paths.members}/${memberId}`;
}

/** The conversation with a member. A draft stands in the message field unless something was typed before. */
export function conversationPath(memberId: string, draft?: string): string {
  const path = `${paths.messages}/${memberId}`;
  return draft === undefined ? path : `${path}?${new URLSearchParams({ draft }).toString()}`;
}

/** The analytics of a course. */
export function courseAnalyticsPath(courseId: string): string {
  return `${paths.studioAnalytics}/${courseId}`;
}

/** The analytics of an article. */
export function articleAnalyticsPath(articleId: string): string {
  return `${paths.studioAnalytics}/articles/${articleId}`;
}

/** A course of the mentors' training. */
export function trainingCoursePath(courseId: string): string {
  return `${paths.training}/${courseId}`;
}

/** The part of an address that leads to one question, under its text or among those that wait in the studio. */
export function questionFragment(questionId: string): string {
  return `#question-${questionId}`;
}

/** The id in such a part; null for any other. */
export function questionIdIn(fragment: string): string | null {
  const start = questionFragment("");
  return fragment.startsWith(start) ? fragment.slice(start.length) : null;
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
