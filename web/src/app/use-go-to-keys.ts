import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import { isKeyForPage } from "@/lib/is-key-for-page.ts";

/** How long G waits for the letter after it. Milliseconds. */
const waitMs = 1500;

/** An area that G and a letter open. */
export interface GoTo {
  readonly letter: string;
  readonly label: string;
  readonly path: string;
}

/** G and then the letter of an area open it, as in Linear. Not while one writes, nor under an open window. */
export function useGoToKeys(goals: readonly GoTo[]): void {
  const navigate = useNavigate();
  const pathOf = useEffectEvent(
    (letter: string) => goals.find((each) => each.letter === letter)?.path,
  );
  const open = useEffectEvent((path: string) => void navigate(path));
  useEffect(() => {
    let askedAt: number | null = null;
    function onFirst(event: KeyboardEvent) {
      if (event.key === "g" && !event.repeat && isKeyForPage(event)) askedAt = event.timeStamp;
    }
    // Before the keys of the page: a queue has letters of its own.
    function onSecond(event: KeyboardEvent) {
      if (askedAt === null || event.key === "Shift") return;
      const isLate = event.timeStamp - askedAt > waitMs;
      askedAt = null;
      const path = isLate || !isKeyForPage(event) ? undefined : pathOf(event.key);
      if (path === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      open(path);
    }
    window.addEventListener("keydown", onSecond, { capture: true });
    window.addEventListener("keydown", onFirst);
    return () => {
      window.removeEventListener("keydown", onSecond, { capture: true });
      window.removeEventListener("keydown", onFirst);
    };
  }, []);
}
