import { Suspense, useEffect, useRef } from "react";
import { ScrollRestoration, useLocation } from "react-router";
import { Toaster } from "@/ui/toast.tsx";
import { AccessGuard } from "./access/access-guard.tsx";
import { PageTitle } from "./page-title.tsx";
import { PageWaiting } from "./page-waiting.tsx";

/** What every page shares: access, title, scroll position, focus and toasts. */
export function RootLayout() {
  useFocusOnNavigation();
  return (
    <>
      <PageTitle />
      <Suspense fallback={<PageWaiting />}>
        <AccessGuard />
      </Suspense>
      <ScrollRestoration />
      <Toaster />
    </>
  );
}

/** Moves focus to the new page's content, so that keyboard and screen reader follow the link. */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [pathname]);
}
