import { useCallback, useSyncExternalStore } from "react";

const media = (query: string) =>
  typeof window.matchMedia === "function" ? window.matchMedia(query) : null;

/** @param otherwise Where the window cannot be asked. */
function useMedia(query: string, otherwise: boolean): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = media(query);
      list?.addEventListener("change", listener);
      return () => list?.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => media(query)?.matches ?? otherwise,
    () => otherwise,
  );
}

/** Whether the window is wider than a phone, as the styles' `sm:`. */
export function useWideScreen(): boolean {
  return useMedia("(min-width: 40rem)", true);
}

/** Whether a mouse or the like is at hand, and so a keyboard: a focused field brings up none on the screen. */
export function useKeyboardDevice(): boolean {
  return useMedia("(hover: hover) and (pointer: fine)", true);
}

/** Whether the rail stands beside the page, as the styles' `lg:`. */
export function useRailScreen(): boolean {
  return useMedia("(min-width: 64rem)", true);
}

/** Whether a second column fits beside the page, as the styles' `xl:`. */
export function useExtraWideScreen(): boolean {
  return useMedia("(min-width: 80rem)", false);
}
