import { useState } from "react";
import { browserStorage } from "@/lib/browser-storage.ts";
import { useExtraWideScreen } from "@/ui/use-wide-screen.ts";

const key = "fourfold-preview-beside";

/** Whether the preview stands beside the text, which this browser remembers. It never does where there is no room for both. */
export function usePreviewBeside() {
  const fits = useExtraWideScreen();
  const [isWanted, setWanted] = useState(() => browserStorage.getItem(key) !== null);
  return {
    fits,
    isBeside: fits && isWanted,
    toggle: () => {
      if (isWanted) browserStorage.removeItem(key);
      else browserStorage.setItem(key, "yes");
      setWanted(!isWanted);
    },
  };
}
