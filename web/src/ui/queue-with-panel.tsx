import { useCallback, useRef, useState, type ReactNode, type RefObject } from "react";
import { createPortal } from "react-dom";
import { classNames } from "./class-names.ts";
import { pressQueueKey, useQueueKeysOfPage } from "./queue-keys.ts";
import { useRailScreen } from "./use-wide-screen.ts";

export interface QueueWithPanelProps {
  /** Names the queue and its panel for screen readers. */
  readonly label: string;
  readonly ref?: RefObject<HTMLDivElement | null> | undefined;
  /** The open item; null while none is. */
  readonly panel: ReactNode;
  /** Names the panel. */
  readonly panelLabel: string;
  /** Draws the rows. What it is given stands right after the button of the open one: the panel, where there is no room beside. */
  readonly children: (below: ReactNode) => ReactNode;
}

/**
 * A queue that is worked through by keyboard, with the open item in sight beside its rows, or below its row on a small screen.
 * The panel has an element of its own, which goes from one place to the other: what is written in it stays when a tablet is turned.
 */
export function QueueWithPanel({ label, ref, panel, panelLabel, children }: QueueWithPanelProps) {
  const own = useRef<HTMLDivElement>(null);
  const queue = ref ?? own;
  useQueueKeysOfPage(queue);
  const hasRail = useRailScreen();
  const isBeside = hasRail && panel !== null;
  const [element] = useState(() => document.createElement("div"));
  const hold = useCallback((place: HTMLElement | null) => place?.append(element), [element]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys press buttons inside; each is reachable without them.
    <div
      ref={queue}
      role="group"
      aria-label={label}
      onKeyDown={pressQueueKey}
      className={classNames(
        "grid grid-cols-1 items-start gap-6",
        isBeside && "grid-cols-[minmax(14rem,1fr)_minmax(0,3fr)]",
      )}
    >
      <div className="min-w-0">{children(hasRail ? null : <div ref={hold} />)}</div>
      {isBeside ? (
        <section
          ref={hold}
          data-queue-panel
          tabIndex={-1}
          aria-label={panelLabel}
          className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto rounded-card border border-line bg-raised"
        />
      ) : null}
      {panel === null ? null : createPortal(panel, element)}
    </div>
  );
}
