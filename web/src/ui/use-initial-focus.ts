import { useEffect } from "react";

const initialFocus = "#main [data-initial-focus]";

/** The field that a page is for, as marked by `data-initial-focus`; null where a page has none. */
export function initialFocusOfPage(): HTMLElement | null {
  return document.querySelector<HTMLElement>(initialFocus);
}

/**
 * Focuses the marked field of what has just come, unless something has the focus already. For what comes after its page, or in
 * place of it; a page that is opened by a link gets its focus from the navigation.
 */
export function useInitialFocus(): void {
  useEffect(() => {
    const active = document.activeElement;
    if (active !== document.body && active?.id !== "main") return;
    initialFocusOfPage()?.focus({ preventScroll: true });
  }, []);
}
