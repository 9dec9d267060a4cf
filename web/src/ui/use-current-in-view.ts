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
      "[aria-current=page], [aria-current=true], [data-state=active]",
    );
    const place = item ? `${item.offsetLeft} ${item.offsetWidth}` : "";
    if (!row.current || !item || place === shown.current) return;
    shown.current = place;
    const [inside, outside] = [item.getBoundingClientRect(), row.current.getBoundingClientRect()];
    // Inside of the padding, where nothing fades.
    const { paddingLeft, paddingRight } = getComputedStyle(row.current);
    const right = outside.right - (Number.parseFloat(paddingRight) || 0);
    const left = outside.left + (Number.parseFloat(paddingLeft) || 0);
    if (inside.right > right) row.current.scrollLeft += inside.right - right;
    else if (inside.left < left) row.current.scrollLeft -= left - inside.left;
  });
  return row;
}
