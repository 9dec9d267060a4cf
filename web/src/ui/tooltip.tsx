import { Tooltip as RadixTooltip } from "radix-ui";
import type { ReactNode } from "react";

/** Must stand once around the app, so that tooltips share their delay. */
export const TooltipProvider = RadixTooltip.Provider;

/** A short remark on hover and focus. Never the only place something is said. */
export function Tooltip({
  text,
  children,
}: {
  readonly text: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          sideOffset={6}
          className="z-50 max-w-64 animate-[fade_120ms_ease-out] rounded-control bg-ink px-2.5 py-1.5 text-xs text-on-ink"
        >
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}
