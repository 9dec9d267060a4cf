import { useEffect } from "react";

const pages = new Set<() => boolean>();

/** While the component is shown, its page is known to hold text that isn't saved whenever the check says so. */
export function useUnsavedText(isDirty: () => boolean): void {
  useEffect(() => {
    pages.add(isDirty);
    return () => void pages.delete(isDirty);
  }, [isDirty]);
}

/** Whether the open page would lose text if it were taken away now. */
export function holdsUnsavedText(): boolean {
  return [...pages].some((isDirty) => isDirty());
}
