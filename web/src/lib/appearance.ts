import { useSyncExternalStore } from "react";
import { browserStorage } from "./browser-storage.ts";

export const themes = ["system", "light", "dark"] as const;
export const textSizes = ["normal", "large", "larger"] as const;

/** How pages look in this browser. */
export interface Appearance {
  /** `system` follows the device. */
  readonly theme: (typeof themes)[number];
  readonly textSize: (typeof textSizes)[number];
}

/** Where a browser keeps the choice; other tabs hear of it by this key. */
const storageKey = "fourfold-appearance";
const standard: Appearance = { theme: "system", textSize: "normal" };
/** Of the browser's own size, which the member may have set. */
const rootSizes = { normal: "", large: "112.5%", larger: "125%" } as const;

const listeners = new Set<() => void>();
let current = standard;

function read(): Appearance {
  try {
    const stored: unknown = JSON.parse(browserStorage.getItem(storageKey) ?? "null");
    const { theme, textSize } = Object(stored) as Partial<Record<keyof Appearance, unknown>>;
    return {
      theme: themes.find((each) => each === theme) ?? standard.theme,
      textSize: textSizes.find((each) => each === textSize) ?? standard.textSize,
    };
  } catch {
    return standard;
  }
}

function show(appearance: Appearance): void {
  current = appearance;
  const root = document.documentElement;
  if (appearance.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = appearance.theme;
  root.style.fontSize = rootSizes[appearance.textSize];
  for (const listener of listeners) listener();
}

/** Shows pages as this browser's member chose, now and when another tab changes it. */
export function followAppearance(window: Window): void {
  show(read());
  window.addEventListener("storage", ({ key }) => {
    if (key === storageKey || key === null) show(read());
  });
}

/** Keeps a choice in this browser and shows it at once. */
export function setAppearance(change: Partial<Appearance>): void {
  const appearance = { ...current, ...change };
  browserStorage.setItem(storageKey, JSON.stringify(appearance));
  show(appearance);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How pages look now. */
export function useAppearance(): Appearance {
  return useSyncExternalStore(subscribe, () => current);
}
