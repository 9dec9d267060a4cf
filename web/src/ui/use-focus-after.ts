import { useEffect, useEffectEvent, useRef, type RefObject } from "react";

/**
 * For a part of the page that goes away when one of its own controls is pressed, such as a form with "Cancel": the
 * browser drops the focus with it, and one would go on from the top of the page. The focus moves to what `find` names
 * then, else to the page's content; it stays where it is when something else has it.
 * @returns a ref for the outermost element of the part.
 */
export function useFocusAfter<T extends HTMLElement>(
  find: () => HTMLElement | null | undefined,
): RefObject<T | null> {
  const part = useRef<T>(null);
  const findNow = useEffectEvent(find);
  useEffect(() => {
    const element = part.current;
    return () => {
      // React's strict mode runs this once while the part stays.
      if (element?.isConnected === true || document.activeElement !== document.body) return;
      (findNow() ?? document.getElementById("main"))?.focus();
    };
  }, []);
  return part;
}
