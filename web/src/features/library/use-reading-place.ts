import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { systemClock } from "@/lib/clock.ts";
import {
  keepPlace,
  offsetOf,
  placeOfText,
  placeOfVisit,
  rememberPlace,
  shareRead,
} from "./model/reading-place.ts";

/** Browsers take few changes of a history entry a minute. */
const restMs = 400;

export interface ReadingPlace {
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
export function useReadingPlace(textId: string): ReadingPlace {
  const textRef = useRef<HTMLDivElement>(null);
  const barRef = useRef<HTMLDivElement>(null);
  const following = useRef(false);
  const [offer, setOffer] = useState<{ textId: string; share: number } | null>(null);

  const goTo = useCallback((share: number) => {
    const text = textRef.current;
    if (text === null) return;
    const { top, height } = text.getBoundingClientRect();
    const onPage = { top: top + window.scrollY, height };
    window.scrollTo({ top: offsetOf(share, onPage, window.innerHeight) });
  }, []);

  const onShown = useCallback(() => {
    const visit = placeOfVisit(window.history);
    if (visit !== null) goTo(visit);
    const before = visit === null ? placeOfText(textId) : null;
    setOffer(before === null ? null : { textId, share: before });
    following.current = true;
  }, [goTo, textId]);

  useEffect(() => {
    let frame = 0;
    let callOff = () => {};
    let share = 0;
    const keep = () => keepPlace(window.history, share);
    const look = () => {
      frame = 0;
      const text = textRef.current;
      if (text === null) return;
      share = shareRead(text.getBoundingClientRect(), window.innerHeight);
      barRef.current?.style.setProperty("--read", share.toFixed(4));
      if (!following.current || share === 0) return;
      rememberPlace(textId, share);
      callOff();
      callOff = systemClock.after(restMs, keep);
    };
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    look();
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("resize", onScroll);
    return () => {
      cancelAnimationFrame(frame);
      callOff();
      following.current = false;
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("resize", onScroll);
    };
  }, [textId]);

  const earlier = offer?.textId === textId ? offer.share : null;
  const goToEarlier = useCallback(() => {
    if (earlier !== null) goTo(earlier);
    setOffer(null);
  }, [earlier, goTo]);
  return { textRef, barRef, onShown, earlier, goToEarlier };
}
