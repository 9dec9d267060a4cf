import { useSyncExternalStore } from "react";
import { systemClock } from "./clock.ts";

const tickMs = 30_000;
let now = systemClock.now();
const listeners = new Set<() => void>();
let cancel = () => {};

function tick(): void {
  now = systemClock.now();
  for (const listener of listeners) listener();
  cancel = systemClock.after(tickMs, tick);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    now = systemClock.now();
    cancel = systemClock.after(tickMs, tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) cancel();
  };
}

/** The time, moving on every half minute; one clock for everything on the screen. Epoch milliseconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
