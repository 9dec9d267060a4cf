import { useEffect, useId, useSyncExternalStore } from "react";

// How much waits for the member, for the title of the browser's tab. It is outside the tree because the
// title stands above every page, and the count is known inside the members' shell.
const counts = new Map<string, number>();
const listeners = new Set<() => void>();

function set(id: string, count: number): void {
  counts.set(id, count);
  for (const listener of listeners) listener();
}

function sum(): number {
  let all = 0;
  for (const count of counts.values()) all += count;
  return all;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds a count to the one before the title for as long as the component is there. */
export function useTitleCount(count: number): void {
  const id = useId();
  useEffect(() => {
    set(id, count);
    return () => set(id, 0);
  }, [id, count]);
}

/** The count before the title; 0 for none. */
export function useCurrentTitleCount(): number {
  return useSyncExternalStore(subscribe, sum);
}
