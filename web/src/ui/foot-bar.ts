const bars = new Set<HTMLElement>();

function measure(): void {
  // What a wider window hides has no height, and what it leaves in the flow of the page is not at its foot.
  const atFoot = [...bars].filter((bar) => getComputedStyle(bar).position !== "static");
  const height = Math.max(0, ...atFoot.map((bar) => bar.offsetHeight));
  document.documentElement.style.setProperty("--foot", `${height}px`);
}

/**
 * A ref for what stands at the foot of a phone's window, such as its tabs or the message field: `--foot` is its height in pixels
 * as long as it is there, and toasts stand above it.
 */
export function footBar(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  bars.add(bar);
  // jsdom has no layout, and no observer of it.
  const observer = "ResizeObserver" in window ? new ResizeObserver(measure) : null;
  observer?.observe(bar);
  return () => {
    bars.delete(bar);
    observer?.disconnect();
    measure();
  };
}
