import type { ComponentType } from "react";
import type { RouteObject } from "react-router";
import { ErrorPage } from "./error-page.tsx";
import { LoadingPage } from "./loading-page.tsx";
import {
  articleAnalyticsPath,
  certificatePath,
  conversationPath,
  courseAnalyticsPath,
  courseCheckoutPath,
  invitationPath,
  memberPath,
  paths,
  salePath,
  sharedCardPath,
  studioDraftPath,
  studioPreviewPath,
  trainingCoursePath,
  verificationPath,
} from "@/domain/paths.ts";
import { adminRoutes } from "./admin-routes.tsx";
import { boughtRoutes } from "./bought-routes.ts";
import { legalRoutes } from "./legal-routes.ts";
import { libraryRoutes } from "./library-routes.tsx";
import { page } from "./page.ts";
import { receiptRoutes } from "./receipt-routes.ts";
import { RootLayout } from "./root-layout.tsx";

async function loadDashboard(role: "student" | "mentor"): Promise<ComponentType> {
  const { MemberDashboard } = await import("@/features/dashboards/pages/member-dashboard.tsx");
  return () => <MemberDashboard role={role} />;
}

/** The landing page is a document of its own; within the app it is left by a full page load. */
function leaveForLanding(): Promise<never> {
  window.location.assign(paths.landing);
  return new Promise(() => {});
}

/** Every page of the app. Addresses that are not here are answered by the access rules. */
export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: ErrorPage,
    HydrateFallback: LoadingPage,
    children: [
      { path: paths.landing, loader: leaveForLanding, Component: LoadingPage },
      page(
        paths.auth,
        "Welcome",
        async () => (await import("@/features/session/pages/auth-choice-page.tsx")).AuthChoicePage,
      ),
      page(
        invitationPath(":code"),
        "Invitation",
        async () =>
          (await import("@/features/affiliates/pages/invitation-page.tsx")).InvitationPage,
      ),
      page(
        paths.guarantee,
        "The guarantee",
        async () => (await import("@/features/guarantee/pages/guarantee-page.tsx")).GuaranteePage,
      ),
      ...legalRoutes,
      page(
        paths.signUp,
        "Sign up",
        async () => (await import("@/features/session/pages/sign-up-page.tsx")).SignUpPage,
      ),
      page(
        paths.signIn,
        "Sign in",
        async () => (await import("@/features/session/pages/sign-in-page.tsx")).SignInPage,
      ),
      page(
        paths.adminSignIn,
        "Admin login",
        async () =>
          (await import("@/features/session/pages/admin-sign-in-page.tsx")).AdminSignInPage,
      ),
      page(
        paths.resetPassword,
        "Reset password",
        async () =>
          (await import("@/features/session/pages/reset-password-page.tsx")).ResetPasswordPage,
      ),
      page(
        paths.updatePassword,
        "New password",
        async () =>
          (await import("@/features/session/pages/update-password-page.tsx")).UpdatePasswordPage,
      ),
      page(
        paths.confirm,
        "Your link",
        async () => (await import("@/features/session/pages/confirm-page.tsx")).ConfirmPage,
      ),
      page(
        paths.unsubscribe,
        "Emails",
        async () => (await import("@/features/account/pages/unsubscribe-page.tsx")).UnsubscribePage,
      ),
      page(
        paths.paywall,
        "Choose your plan",
        async () => (await import("@/features/billing/pages/paywall-page.tsx")).PaywallPage,
      ),
      page(
        paths.success,
        "Your payment",
        async () => (await import("@/features/billing/pages/success-page.tsx")).SuccessPage,
      ),
      page(
        paths.onboarding,
        "Onboarding",
        async () =>
          (await import("@/features/onboarding/pages/onboarding-page.tsx")).OnboardingPage,
      ),
      page(
        salePath(":slug"),
        "Course",
        async () => (await import("@/features/selling/pages/sale-page.tsx")).SalePage,
      ),
      page(
        courseCheckoutPath(":slug"),
        "Buy a course",
        async () => (await import("@/features/selling/pages/checkout-page.tsx")).CheckoutPage,
      ),
      boughtRoutes,
      ...receiptRoutes,
      page(
        certificatePath(":certificateId"),
        "Certificate",
        async () =>
          (await import("@/features/achievements/pages/certificate-page.tsx")).CertificatePage,
      ),
      ...[paths.verify, verificationPath(":code")].map((path) =>
        page(
          path,
          "Verify a certificate",
          async () => (await import("@/features/achievements/pages/verify-page.tsx")).VerifyPage,
        ),
      ),
      page(
        sharedCardPath(":code"),
        "Shared",
        async () => (await import("@/features/achievements/pages/shared-page.tsx")).SharedPage,
      ),
      {
        lazy: async () => ({ Component: (await import("./shell-layout.tsx")).ShellLayout }),
        children: [
          page(paths.studentDashboard, "Home", () => loadDashboard("student")),
          page(paths.mentorDashboard, "Home", () => loadDashboard("mentor")),
          ...adminRoutes,
          page(
            paths.subscriptions,
            "Membership",
            async () =>
              (await import("@/features/billing/pages/subscriptions-page.tsx")).SubscriptionsPage,
          ),
          page(
            paths.verification,
            "Identity",
            async () =>
              (await import("@/features/verification/pages/verification-page.tsx"))
                .VerificationPage,
          ),
          page(
            paths.account,
            "Account",
            async () => (await import("@/features/account/pages/account-page.tsx")).AccountPage,
          ),
          page(
            paths.chats,
            "Chats",
            async () => (await import("@/features/chat/pages/room-list-page.tsx")).RoomListPage,
            "community",
          ),
          page(
            `${paths.chats}/:roomId`,
            "Chats",
            async () => (await import("@/features/chat/pages/room-page.tsx")).RoomPage,
            "community",
            "fill",
          ),
          page(
            paths.messages,
            "Messages",
            async () => (await import("@/features/messages/pages/messages-page.tsx")).MessagesPage,
            "community",
          ),
          page(
            conversationPath(":id"),
            "Messages",
            async () =>
              (await import("@/features/messages/pages/conversation-page.tsx")).ConversationPage,
            "community",
            "fill",
          ),
          page(
            paths.collaborate,
            "Collaborate",
            async () =>
              (await import("@/features/collaborate/pages/collaborate-page.tsx")).CollaboratePage,
            "community",
          ),
          page(
            paths.members,
            "Directory",
            async () => (await import("@/features/people/pages/directory-page.tsx")).DirectoryPage,
            "community",
          ),
          page(
            memberPath(":memberId"),
            "Member",
            async () => (await import("@/features/people/pages/member-page.tsx")).MemberPage,
            "community",
          ),
          page(
            paths.submissions,
            "Submissions",
            async () =>
              (await import("@/features/submissions/pages/submissions-page.tsx")).SubmissionsPage,
            "community",
          ),
          page(
            paths.pacts,
            "Pacts",
            async () => (await import("@/features/pacts/pages/pacts-page.tsx")).PactsPage,
            "community",
          ),
          page(
            paths.newPact,
            "Make a pact",
            async () => (await import("@/features/pacts/pages/new-pact-page.tsx")).NewPactPage,
            "community",
          ),
          page(
            paths.newSubmission,
            "New submission",
            async () =>
              (await import("@/features/submissions/pages/new-submission-page.tsx"))
                .NewSubmissionPage,
            "community",
          ),
          ...libraryRoutes,
          page(
            paths.studio,
            "Studio",
            async () => (await import("@/features/studio/pages/studio-page.tsx")).StudioPage,
          ),
          page(
            paths.studioImport,
            "Import Markdown",
            async () => (await import("@/features/studio/pages/import-page.tsx")).ImportPage,
          ),
          page(
            paths.studioAnalytics,
            "Analytics",
            async () =>
              (await import("@/features/studio-analytics/pages/analytics-page.tsx")).AnalyticsPage,
          ),
          page(
            articleAnalyticsPath(":articleId"),
            "Analytics",
            async () =>
              (await import("@/features/studio-analytics/pages/article-analytics-page.tsx"))
                .ArticleAnalyticsPage,
          ),
          page(
            courseAnalyticsPath(":courseId"),
            "Analytics",
            async () =>
              (await import("@/features/studio-analytics/pages/course-analytics-page.tsx"))
                .CourseAnalyticsPage,
          ),
          page(
            paths.studioSelling,
            "Selling",
            async () =>
              (await import("@/features/selling/pages/mentor-sales-page.tsx")).MentorSalesPage,
          ),
          page(
            paths.training,
            "Training",
            async () => (await import("@/features/courses/pages/training-page.tsx")).TrainingPage,
          ),
          page(
            trainingCoursePath(":courseId"),
            "Training",
            async () =>
              (await import("@/features/courses/pages/training-course-page.tsx"))
                .TrainingCoursePage,
          ),
          page(
            studioDraftPath(":draftId"),
            "Studio",
            async () => (await import("@/features/studio/pages/draft-page.tsx")).DraftPage,
          ),
          page(
            studioPreviewPath(":draftId"),
            "Preview",
            async () => (await import("@/features/studio/pages/preview-page.tsx")).PreviewPage,
          ),
          page(
            paths.affiliates,
            "Affiliates",
            async () =>
              (await import("@/features/affiliates/pages/affiliates-page.tsx")).AffiliatesPage,
          ),
          page(
            paths.achievements,
            "Achievements",
            async () =>
              (await import("@/features/achievements/pages/achievements-page.tsx"))
                .AchievementsPage,
          ),
          page(
            paths.progressGuarantee,
            "Your guarantee",
            async () =>
              (await import("@/features/guarantee/pages/guarantee-record-page.tsx"))
                .GuaranteeRecordPage,
          ),
          page(
            paths.progress,
            "Progress",
            async () => (await import("@/features/levels/pages/progress-page.tsx")).ProgressPage,
          ),
        ],
      },
      { path: "*", Component: LoadingPage },
    ],
  },
];
