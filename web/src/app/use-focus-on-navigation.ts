import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Focuses the page's content. False when there is none yet, as while a page waits for who is signed in. */
function focusContent(): boolean {
  const main = document.getElementById("main");
  main?.focus({ preventScroll: true });
  return main !== null && document.activeElement === main;
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
