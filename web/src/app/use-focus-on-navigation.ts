import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { initialFocusOfPage } from "@/ui/use-initial-focus.ts";

/**
 * Focuses the page's content, or in it the one field the page is for. False when there is none yet, as while a page waits for
 * who is signed in.
 */
function focusContent(): boolean {
  const goal = initialFocusOfPage() ?? document.getElementById("main");
  goal?.focus({ preventScroll: true });
  return goal !== null && document.activeElement === goal;
}

/**
 * Moves focus to the new page's content, so that keyboard and screen reader follow the link. Content that comes later is
 * focused when it comes, unless something else has the focus by then.
 */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (focusContent()) return;
    const watcher = new MutationObserver(() => {
      const isTaken = document.activeElement !== document.body;
      if (isTaken || focusContent()) watcher.disconnect();
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    return () => watcher.disconnect();
  }, [pathname]);
}
