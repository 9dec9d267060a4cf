import { useSyncExternalStore } from "react";

const query = "(min-width: 40rem)";
const media = () => (typeof window.matchMedia === "function" ? window.matchMedia(query) : null);

function subscribe(listener: () => void): () => void {
  const list = media();
  list?.addEventListener("change", listener);
  return () => list?.removeEventListener("change", listener);
}

/** Whether the window is wider than a phone, as the styles' `sm:`. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(subscribe, () => media()?.matches ?? true);
}
