import { useRef, type ReactNode, type RefObject } from "react";
import { classNames } from "./class-names.ts";
import { pressQueueKey, useQueueKeysOfPage } from "./queue-keys.ts";

export interface QueueWithPanelProps {
  /** Names the queue and its panel for screen readers. */
  readonly label: string;
  readonly ref?: RefObject<HTMLDivElement | null> | undefined;
  /** The open item, beside the rows; null while none is, or where it stands below its row. */
  readonly panel: ReactNode;
  /** Names the panel. */
  readonly panelLabel: string;
  readonly children: ReactNode;
}

/** A queue that is worked through by keyboard, with the open item in sight beside its rows. */
export function QueueWithPanel({ label, ref, panel, panelLabel, children }: QueueWithPanelProps) {
  const own = useRef<HTMLDivElement>(null);
  const queue = ref ?? own;
  useQueueKeysOfPage(queue);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys press buttons inside; each is reachable without them.
    <div
      ref={queue}
      role="group"
      aria-label={label}
      onKeyDown={pressQueueKey}
      className={classNames(
        "grid grid-cols-1 items-start gap-6",
        panel !== null && "lg:grid-cols-[minmax(14rem,1fr)_minmax(0,3fr)]",
      )}
    >
      <div className="min-w-0">{children}</div>
      {panel === null ? null : (
        <section
          data-queue-panel
          tabIndex={-1}
          aria-label={panelLabel}
          className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto rounded-card border border-line bg-raised"
        >
          {panel}
        </section>
      )}
    </div>
  );
}
