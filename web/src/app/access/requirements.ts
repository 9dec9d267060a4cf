import { matchPath } from "react-router";
import { categories } from "@/domain/categories.ts";
import { libraryPath, sections, shelves } from "@/domain/library-paths.ts";
import type { Role } from "@/domain/roles.ts";
import {
  conversationPath,
  boughtCoursePath,
  courseCheckoutPath,
  courseReceiptPath,
  certificatePath,
  invitationPath,
  memberPath,
  paths,
  receiptPath,
  vatDocumentPath,
  salePath,
  articleAnalyticsPath,
  courseAnalyticsPath,
  studioDraftPath,
  sharedCardPath,
  studioPreviewPath,
  trainingCoursePath,
  verificationPath,
} from "@/domain/paths.ts";

/** What an address asks of its visitor. */
export type AccessRequirement =
  | { readonly kind: "open" }
  /** For visitors without a session; members are sent where they belong. */
  | { readonly kind: "auth-page" }
  | { readonly kind: "signed-in" }
  /** For members with a subscription who have not finished onboarding. */
  | { readonly kind: "onboarding" }
  | { readonly kind: "role"; readonly role: Role }
  /** For mentors; administrators see all of it. */
  | { readonly kind: "mentors" }
  | { readonly kind: "level"; readonly level: number }
  /** The address only leads on to another. */
  | { readonly kind: "moved"; readonly to: string };

const signedIn = { kind: "signed-in" } as const;
const authPage = { kind: "auth-page" } as const;
const open = { kind: "open" } as const;
const mentors = { kind: "mentors" } as const;
const adminOnly = { kind: "role", role: "admin" } as const;

const libraryRules = categories.flatMap((category) =>
  shelves.flatMap((shelf) =>
    ["", "/:subcategory", "/:subcategory/:itemId"].map(
      (rest) =>
        [
          `${libraryPath(category, shelf)}${rest}`,
          { kind: "level", level: sections[category].level },
        ] as const,
    ),
  ),
);

type AccessRule = readonly [pattern: string, requirement: AccessRequirement];

/** Every address and its requirement. An address that is not here is unknown. */
export const requirements: readonly AccessRule[] = [
  [paths.landing, open],
  [paths.auth, authPage],
  [paths.signUp, authPage],
  [paths.signIn, authPage],
  [paths.adminSignIn, authPage],
  [paths.resetPassword, open],
  [paths.updatePassword, open],
  [paths.confirm, open],
  [paths.unsubscribe, open],
  [paths.account, signedIn],
  [paths.paywall, signedIn],
  [paths.success, signedIn],
  [paths.onboarding, { kind: "onboarding" }],
  [paths.studentDashboard, { kind: "role", role: "student" }],
  [paths.mentorDashboard, { kind: "role", role: "mentor" }],
  [paths.adminDashboard, adminOnly],
  [paths.adminMembers, adminOnly],
  [paths.adminQueues, adminOnly],
  [paths.adminContent, adminOnly],
  [paths.adminMoney, adminOnly],
  [paths.adminSettings, adminOnly],
  [paths.adminAudit, adminOnly],
  [paths.dashboard, { kind: "moved", to: paths.studentDashboard }],
  [paths.chats, signedIn],
  [`${paths.chats}/:roomId`, signedIn],
  [paths.messages, signedIn],
  [conversationPath(":id"), signedIn],
  [paths.collaborate, signedIn],
  [paths.members, signedIn],
  [memberPath(":memberId"), signedIn],
  [paths.learning, { kind: "moved", to: paths.submissions }],
  [paths.submissions, signedIn],
  [paths.newSubmission, signedIn],
  [paths.pacts, signedIn],
  [paths.newPact, signedIn],
  ...libraryRules,
  [paths.studio, mentors],
  [paths.studioImport, mentors],
  [paths.studioAnalytics, mentors],
  [articleAnalyticsPath(":articleId"), mentors],
  [courseAnalyticsPath(":courseId"), mentors],
  [paths.studioSelling, mentors],
  [paths.training, mentors],
  [trainingCoursePath(":courseId"), mentors],
  [studioDraftPath(":draftId"), mentors],
  [studioPreviewPath(":draftId"), mentors],
  [paths.affiliates, signedIn],
  [invitationPath(":code"), open],
  [paths.guarantee, open],
  [paths.terms, open],
  [paths.privacy, open],
  [paths.refunds, open],
  [salePath(":slug"), open],
  [courseCheckoutPath(":slug"), open],
  [paths.yourCourses, signedIn],
  [paths.gifts, signedIn],
  [boughtCoursePath(":courseId"), signedIn],
  [courseReceiptPath(":purchaseId"), signedIn],
  [paths.subscriptions, signedIn],
  [receiptPath(":invoiceId"), signedIn],
  [vatDocumentPath(":number"), signedIn],
  [paths.progress, signedIn],
  [paths.progressGuarantee, signedIn],
  [paths.achievements, signedIn],
  [certificatePath(":certificateId"), signedIn],
  [paths.verify, open],
  [verificationPath(":code"), open],
  [sharedCardPath(":code"), open],
  [paths.verification, signedIn],
];

/** The requirement of an address; unknown ones lead to the student dashboard. */
export function requirementOf(pathname: string): AccessRequirement {
  const rule = requirements.find(([pattern]) => matchPath(pattern, pathname) !== null);
  return rule?.[1] ?? { kind: "moved", to: paths.studentDashboard };
}

/** Pages that some see without the rail. */
const outsideShell = [
  paths.paywall,
  paths.success,
  paths.yourCourses,
  paths.gifts,
  receiptPath(""),
  vatDocumentPath(""),
  certificatePath(""),
];

/** True for pages that have the rail and the top bar for all who may see them. */
export function isInShell(pathname: string): boolean {
  const { kind } = requirementOf(pathname);
  if (kind !== "signed-in") return kind === "role" || kind === "mentors" || kind === "level";
  return !outsideShell.some((path) => pathname.startsWith(path));
}
