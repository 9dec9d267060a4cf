import { useSyncExternalStore } from "react";
import {
  appearanceKey,
  applyAppearance,
  readAppearance,
  standardAppearance,
  type Appearance,
} from "./appearance-choice.ts";
import { browserStorage } from "./browser-storage.ts";

const listeners = new Set<() => void>();
let current = standardAppearance;

function show(appearance: Appearance): void {
  current = appearance;
  applyAppearance(appearance);
  for (const listener of listeners) listener();
}

/** Shows pages as this browser's member chose, now and when another tab changes it. */
export function followAppearance(window: Window): void {
  show(readAppearance());
  window.addEventListener("storage", ({ key }) => {
    if (key === appearanceKey || key === null) show(readAppearance());
  });
}

/** Keeps a choice in this browser and shows it at once. */
export function setAppearance(change: Partial<Appearance>): void {
  const appearance = { ...current, ...change };
  browserStorage.setItem(appearanceKey, JSON.stringify(appearance));
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
