import type { ComponentType } from "react";
import type { RouteObject } from "react-router";
import { ErrorPage } from "./error-page.tsx";
import { LoadingPage } from "./loading-page.tsx";
import type { PageHandle } from "./page-title.tsx";
import { sections } from "@/domain/library-paths.ts";
import { paths } from "@/domain/paths.ts";
import { RootLayout } from "./root-layout.tsx";

type Load = () => Promise<{ default: ComponentType }>;

/** A page whose code is fetched on the way to it, so that address and content change together. */
function page(
  path: string,
  title: string,
  load: Load,
  accent?: PageHandle["accent"],
  layout?: PageHandle["layout"],
): RouteObject {
  const handle: PageHandle = {
    title,
    ...(accent ? { accent } : {}),
    ...(layout ? { layout } : {}),
  };
  return { path, lazy: async () => ({ Component: (await load()).default }), handle };
}

const shelves = {
  foundations: [
    ["", () => import("@/routes/foundations-home.tsx")],
    ["/:subcategory", () => import("@/routes/articles.tsx")],
    ["/:subcategory/:itemId", () => import("@/routes/article.tsx")],
  ],
  courses: [
    ["", () => import("@/routes/courses-home.tsx")],
    ["/:subcategory", () => import("@/routes/courses.tsx")],
    ["/:subcategory/:itemId", () => import("@/routes/course.tsx")],
  ],
} as const satisfies Record<string, readonly (readonly [rest: string, load: Load])[]>;

const library = Object.values(sections).flatMap(({ segment, name }) =>
  Object.entries(shelves).flatMap(([shelf, pages]) =>
    pages.map(([rest, load]) =>
      page(
        `/${segment}/${shelf}${rest}`,
        `${name} · ${shelf === "courses" ? "Courses" : "Foundations"}`,
        load,
        segment,
      ),
    ),
  ),
);

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
      page(paths.auth, "Welcome", () => import("@/routes/auth.tsx")),
      page(paths.signUp, "Sign up", () => import("@/routes/sign-up.tsx")),
      page(paths.signIn, "Sign in", () => import("@/routes/sign-in.tsx")),
      page(paths.adminSignIn, "Admin login", () => import("@/routes/admin-sign-in.tsx")),
      page(paths.resetPassword, "Reset password", () => import("@/routes/reset-password.tsx")),
      page(paths.updatePassword, "New password", () => import("@/routes/update-password.tsx")),
      page(paths.paywall, "Choose your plan", () => import("@/routes/paywall.tsx")),
      page(paths.success, "Payment successful", () => import("@/routes/success.tsx")),
      page(paths.onboarding, "Onboarding", () => import("@/routes/onboarding.tsx")),
      {
        lazy: async () => ({ Component: (await import("./shell-layout.tsx")).ShellLayout }),
        children: [
          page(paths.studentDashboard, "Home", () => import("@/routes/student-dashboard.tsx")),
          page(paths.mentorDashboard, "Home", () => import("@/routes/mentor-dashboard.tsx")),
          page(paths.adminDashboard, "Home", () => import("@/routes/admin-dashboard.tsx")),
          page(paths.subscriptions, "Membership", () => import("@/routes/subscriptions.tsx")),
          page(paths.verification, "Identity", () => import("@/routes/verification.tsx")),
          page(paths.account, "Account", () => import("@/routes/account.tsx")),
          page(paths.chats, "Chats", () => import("@/routes/chats.tsx"), "community"),
          page(
            `${paths.chats}/:roomId`,
            "Chats",
            () => import("@/routes/chat-room.tsx"),
            "community",
            "fill",
          ),
          page(
            paths.submissions,
            "Learning",
            () => import("@/routes/submissions.tsx"),
            "community",
          ),
          page(
            paths.newSubmission,
            "New submission",
            () => import("@/routes/new-submission.tsx"),
            "community",
          ),
          ...library,
          page(paths.progress, "Progress", () => import("@/routes/progress.tsx")),
        ],
      },
      { path: "*", Component: LoadingPage },
    ],
  },
];
