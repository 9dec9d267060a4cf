import { useEffect, useEffectEvent } from "react";

/** What opens the bell of the page that is shown. */
const openers = new Set<() => void>();

/** Opens the bell's panel from elsewhere on the page. */
export function openBell(): void {
  for (const open of openers) open();
}

/** Calls `onOpen` when the bell is to open. */
export function useBellOpener(onOpen: () => void): void {
  const opened = useEffectEvent(onOpen);
  useEffect(() => {
    const open = () => opened();
    openers.add(open);
    return () => void openers.delete(open);
  }, []);
}
