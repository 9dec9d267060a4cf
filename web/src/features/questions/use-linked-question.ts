import { useEffect, useEffectEvent } from "react";
import { useLocation } from "react-router";
import { questionIdIn } from "@/domain/paths.ts";

/** A question that the address leads to. */
export interface LinkedQuestion {
  /** Null when the address leads to none. */
  readonly id: string | null;
  /** Changes with each visit, also to the same question again. */
  readonly visit: string;
}

/** The question that the fragment of the address names. */
export function useLinkedQuestion(): LinkedQuestion {
  const { hash, key } = useLocation();
  return { id: questionIdIn(hash), visit: key };
}

/**
 * Brings the question the address leads to into view and gives it the focus, once per visit and once it is there.
 * @param isThere whether the question is on the page.
 * @param find what takes the focus.
 */
export function useLeadToQuestion(
  { id, visit }: LinkedQuestion,
  isThere: boolean,
  find: () => HTMLElement | null | undefined,
): void {
  const findNow = useEffectEvent(find);
  useEffect(() => {
    // Each visit, also to the same question again.
    if (id === null || visit === "" || !isThere) return undefined;
    return whenWindowsAreClosed(() => {
      const goal = findNow();
      goal?.scrollIntoView({ block: "center" });
      goal?.focus({ preventScroll: true });
    });
  }, [id, visit, isThere]);
}

/**
 * Runs `act` two frames after the last window, such as the bell's, has gone: a window that closes and a page that opens put
 * the focus somewhere themselves. Returns what calls it off.
 */
function whenWindowsAreClosed(act: () => void): () => void {
  let frame = 0;
  const watcher = new MutationObserver(() => check());
  function check() {
    cancelAnimationFrame(frame);
    if (document.querySelector('[role="dialog"]') !== null) return;
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        watcher.disconnect();
        act();
      });
    });
  }
  watcher.observe(document.body, { childList: true });
  check();
  return () => {
    watcher.disconnect();
    cancelAnimationFrame(frame);
  };
}
