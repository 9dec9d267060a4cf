import { useEffect } from "react";

/** Parts of a page that the focus may go to, from the inside out. */
const parts = '[role="dialog"], [role="alertdialog"], section[aria-labelledby], main';

/**
 * Keeps the focus in the page when the control that has it goes away, such as a button that was pressed and is replaced. The
 * browser would drop the focus, and one would go on from the top of the page, unannounced. It moves to the part of the page
 * that the control stood in: to the part's heading, else to the part; when the whole page was replaced, to the new one's
 * content. Code that knows a better place comes first. For the root of the app.
 */
export function useKeepFocus(): void {
  useEffect(() => {
    /** What had the focus last, and all it stood in, from the inside out. */
    let around: Element[] = [];
    let frame = 0;
    const isLost = () =>
      around[0]?.isConnected === false && document.activeElement === document.body;
    const bringBack = () => {
      if (!isLost()) return;
      const part =
        around.find((each) => each.isConnected && each.matches(parts)) ??
        document.getElementById("main");
      const label = part?.getAttribute("aria-labelledby");
      const goal = (label ? document.getElementById(label) : null) ?? part;
      if (!(goal instanceof HTMLElement)) return;
      if (!goal.hasAttribute("tabindex")) goal.tabIndex = -1;
      goal.focus({ preventScroll: true });
    };
    // Two frames later: effects and closing windows put the focus where they want it in the meantime.
    const watcher = new MutationObserver(() => {
      if (!isLost()) return;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => (frame = requestAnimationFrame(bringBack)));
    });
    const onFocus = ({ target }: FocusEvent) => {
      around = [];
      for (let each = target; each instanceof Element; each = each.parentElement) around.push(each);
    };
    // A press beside everything takes the focus away on purpose.
    const onPress = () => (around = []);
    document.addEventListener("focusin", onFocus);
    document.addEventListener("pointerdown", onPress, { capture: true });
    watcher.observe(document.body, { childList: true, subtree: true });
    return () => {
      cancelAnimationFrame(frame);
      watcher.disconnect();
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("pointerdown", onPress, { capture: true });
    };
  }, []);
}
