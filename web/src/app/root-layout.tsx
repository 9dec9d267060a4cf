import { ScrollRestoration, useNavigation } from "react-router";
import { AuthRedirectToast } from "@/features/session/index.ts";
import { useRecordPages } from "@/lib/previous-page.ts";
import { Toaster } from "@/ui/toast.tsx";
import { useKeepFocus } from "@/ui/use-keep-focus.ts";
import { AccessGuard } from "./access/access-guard.tsx";
import { PageTitle } from "./page-title.tsx";
import { useFocusOnNavigation } from "./use-focus-on-navigation.ts";
import { useTypedAhead } from "./use-typed-ahead.ts";

/** What every page shares: access, title, scroll position, focus and toasts. */
export function RootLayout() {
  useFocusOnNavigation();
  useKeepFocus();
  useRecordPages();
  useTypedAhead();
  return (
    <>
      <PageTitle />
      <NavigationBar />
      <AccessGuard />
      <AuthRedirectToast />
      <ScrollRestoration />
      <Toaster />
    </>
  );
}

/** A hair along the top while the next page's code is on its way, if that takes a moment. */
function NavigationBar() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return (
    <div
      aria-hidden
      className="fixed inset-x-0 top-0 z-50 h-0.5 origin-left animate-[approach_4s_var(--ease-out)_200ms_both] bg-accent"
    />
  );
}
