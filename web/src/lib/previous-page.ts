import { useEffect } from "react";
import { useLocation } from "react-router";

// The page that is open and the one before it. It is outside the tree because every page may ask.
let shown: string | null = null;
let before: string | null = null;

/** Keeps which page was open before this one. For the root of the app. */
export function useRecordPages(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (pathname === shown) return;
    before = shown;
    shown = pathname;
  }, [pathname]);
  useEffect(
    () => () => {
      shown = null;
      before = null;
    },
    [],
  );
}

/** The address from which a page was reached within the app; null when it was opened from outside. */
export function pageBefore(pathname: string): string | null {
  // A page's own effects run before those of the root.
  return pathname === shown ? before : shown;
}
