import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { DataRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { SessionProvider } from "@/features/session/index.ts";
import { paths } from "@/domain/paths.ts";
import { BackendProvider, type Backend } from "@/lib/backend.tsx";
import { forgetMessageDrafts } from "@/lib/draft-storage.ts";
import { forgetRole } from "@/lib/remembered-role.ts";
import { TooltipProvider } from "@/ui/tooltip.tsx";
import { useViewer } from "./access/use-viewer.ts";
import { SessionEndedToast } from "./session-ended-toast.tsx";
import { useHeading } from "./use-typed-ahead.ts";

export interface AppProps {
  readonly backend: Backend;
  readonly queries: QueryClient;
  readonly router: DataRouter;
}

const HomeQuestions = lazy(async () => ({
  default: await import("@/features/dashboards/pages/member-dashboard.tsx").then(
    ({ HomeQuestions: Questions }) => Questions,
    // That its code is gone is the page's own to tell.
    () => () => null,
  ),
}));
const homes: readonly string[] = [paths.studentDashboard, paths.mentorDashboard];

/**
 * Asks for what decides on access while the code of the first page is still on its way. Where members begin, what is shown
 * there is asked for at the same time.
 */
function FirstQuestions({ pathname }: { readonly pathname: string }) {
  const isUnknown = useViewer().kind === "loading";
  return isUnknown && homes.includes(pathname) ? (
    <Suspense fallback={null}>
      <HomeQuestions />
    </Suspense>
  ) : null;
}

/** The whole app for one backend. Everything cached for a member, and every message being written, is dropped when they sign out. */
export function App({ backend, queries, router }: AppProps) {
  useHeading(router);
  const forget = () => {
    queries.clear();
    forgetMessageDrafts();
    forgetRole();
  };
  return (
    <BackendProvider backend={backend}>
      <QueryClientProvider client={queries}>
        <SessionProvider onUserLeft={forget}>
          <SessionEndedToast />
          <FirstQuestions pathname={router.state.location.pathname} />
          <TooltipProvider delayDuration={300}>
            <RouterProvider router={router} />
          </TooltipProvider>
        </SessionProvider>
      </QueryClientProvider>
    </BackendProvider>
  );
}
