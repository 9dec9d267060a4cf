import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { systemClock } from "@/lib/clock.ts";
import {
  savePositionInHistory,
  scrollOffsetOf,
  positionOfText,
  positionOfVisit,
  rememberPosition,
  readFraction,
} from "./model/reading-position.ts";

/** Browsers take few changes of a history entry a minute. */
const saveAfterMs = 400;

export interface ReadingPosition {
  /** Goes around the text. */
  readonly textRef: RefObject<HTMLDivElement | null>;
  /** Goes on the bar along the edge; its width follows the reader. */
  readonly barRef: RefObject<HTMLDivElement | null>;
  /** To be called once the text stands there in its full length. */
  readonly onShown: () => void;
  /** Share of the text at which an earlier visit stopped; null when there is nothing to offer. */
  readonly earlier: number | null;
  readonly goToEarlier: () => void;
}

/**
 * Follows the reader through a text: fills the bar, keeps the place, and on a reload or a step back
 * returns to it. The id names reader and text.
 */
export function useReadingPosition(textId: string): ReadingPosition {
  const textRef = useRef<HTMLDivElement>(null);
  const barRef = useRef<HTMLDivElement>(null);
  const following = useRef(false);
  const follow = useRef(() => {});
  const [offer, setOffer] = useState<{ textId: string; fraction: number } | null>(null);

  const goTo = useCallback((fraction: number) => {
    const text = textRef.current;
    if (text === null) return;
    const { top, height } = text.getBoundingClientRect();
    const onPage = { top: top + window.scrollY, height };
    window.scrollTo({ top: scrollOffsetOf(fraction, onPage, window.innerHeight) });
  }, []);

  const onShown = useCallback(() => {
    const visit = positionOfVisit(window.history);
    if (visit !== null) goTo(visit);
    const before = visit === null ? positionOfText(textId) : null;
    setOffer(before === null ? null : { textId, fraction: before });
    following.current = true;
    follow.current();
  }, [goTo, textId]);

  useEffect(() => {
    let frame = 0;
    let cancelSave = () => {};
    let fraction = 0;
    const save = () => savePositionInHistory(window.history, fraction);
    const update = () => {
      frame = 0;
      const text = textRef.current;
      // Before the text stands there, its place is short and would count as read.
      if (text === null || !following.current) return;
      fraction = readFraction(text.getBoundingClientRect(), window.innerHeight);
      barRef.current?.style.setProperty("--read", fraction.toFixed(4));
      if (fraction === 0) return;
      rememberPosition(textId, fraction);
      cancelSave();
      cancelSave = systemClock.after(saveAfterMs, save);
    };
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(update);
    };
    follow.current = update;
    update();
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("resize", onScroll);
    return () => {
      cancelAnimationFrame(frame);
      cancelSave();
      following.current = false;
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("resize", onScroll);
    };
  }, [textId]);

  const earlier = offer?.textId === textId ? offer.fraction : null;
  const goToEarlier = useCallback(() => {
    if (earlier !== null) goTo(earlier);
    setOffer(null);
  }, [earlier, goTo]);
  return { textRef, barRef, onShown, earlier, goToEarlier };
}
