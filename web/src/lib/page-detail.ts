import { useEffect, useSyncExternalStore } from "react";

// What a page is about, when its route alone cannot say: the title of an article, the name of a
// room. It is outside the tree because the title of the browser's tab stands above every page.
let current: string | null = null;
const listeners = new Set<() => void>();

function set(detail: string | null): void {
  current = detail;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Names what the page shows for as long as it is there; null while it is not known. */
export function usePageDetail(detail: string | null): void {
  useEffect(() => {
    if (detail === null) return;
    set(detail);
    return () => set(null);
  }, [detail]);
}

/** What the page shows, for the title of the tab. */
export function useCurrentPageDetail(): string | null {
  return useSyncExternalStore(subscribe, () => current);
}
