import { useLayoutEffect, useRef, type RefObject } from "react";

/**
 * Scrolls a row of links or tabs sideways until its current one shows: at first, when another one is current, and when
 * labels grow. The page itself does not move, as it would with `scrollIntoView`, and a row moved by hand stays.
 */
export function useCurrentInView<Row extends HTMLElement>(): RefObject<Row | null> {
  const row = useRef<Row>(null);
  const shown = useRef("");
  useLayoutEffect(() => {
    const item = row.current?.querySelector<HTMLElement>(
      "[aria-current=page], [data-state=active]",
    );
    const place = item ? `${item.offsetLeft} ${item.offsetWidth}` : "";
    if (!row.current || !item || place === shown.current) return;
    shown.current = place;
    const [inside, outside] = [item.getBoundingClientRect(), row.current.getBoundingClientRect()];
    if (inside.right > outside.right) row.current.scrollLeft += inside.right - outside.right;
    else if (inside.left < outside.left) row.current.scrollLeft -= outside.left - inside.left;
  });
  return row;
}
