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
export const appearanceKey = "fourfold-appearance";
export const standardAppearance: Appearance = { theme: "system", textSize: "normal" };
/** Of the browser's own size, which the member may have set. */
const rootSizes = { normal: "", large: "112.5%", larger: "125%" } as const;

/** What this browser's member chose. */
export function readAppearance(): Appearance {
  try {
    const stored: unknown = JSON.parse(browserStorage.getItem(appearanceKey) ?? "null");
    const { theme, textSize } = Object(stored) as Partial<Record<keyof Appearance, unknown>>;
    return {
      theme: themes.find((each) => each === theme) ?? standardAppearance.theme,
      textSize: textSizes.find((each) => each === textSize) ?? standardAppearance.textSize,
    };
  } catch {
    return standardAppearance;
  }
}

/** Sets the document's theme and the size of its text. */
export function applyAppearance({ theme, textSize }: Appearance): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  root.style.fontSize = rootSizes[textSize];
}
