import { useEffect, useSyncExternalStore } from "react";

// How much waits for the member, for the title of the browser's tab. It is outside the tree because the
// title stands above every page, and the count is known inside the members' shell.
let current = 0;
const listeners = new Set<() => void>();

function set(count: number): void {
  current = count;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Puts the count before the title for as long as the component is there. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    set(count);
    return () => set(0);
  }, [count]);
}

/** The count before the title; 0 for none. */
export function useCurrentTitleCount(): number {
  return useSyncExternalStore(subscribe, () => current);
}
