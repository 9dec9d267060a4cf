import { Popover as RadixPopover } from "radix-ui";
import type { ReactNode, RefObject } from "react";
import { useCloseOnBack } from "./close-on-back.ts";
import { keepOpenWhileComposing } from "./composition.ts";
import { useReturningFocus } from "./dialog.tsx";

export interface PopoverProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Names the panel for those who cannot see it. */
  readonly label: string;
  /** What the panel hangs from. */
  readonly anchor: RefObject<HTMLElement>;
  readonly children: ReactNode;
}

/** A panel that hangs from a button. Escape, Back and a press outside close it. */
export function Popover({ open, onOpenChange, label, anchor, children }: PopoverProps) {
  const focus = useReturningFocus();
  useCloseOnBack(open, () => onOpenChange(false));
  return (
    <RadixPopover.Root open={open} onOpenChange={onOpenChange} modal>
      <RadixPopover.Anchor virtualRef={anchor} />
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          align="end"
          sideOffset={8}
          collisionPadding={8}
          className="z-40 max-h-[min(36rem,var(--radix-popover-content-available-height))] w-96 animate-[rise_140ms_ease-out] overflow-y-auto rounded-card border border-line bg-raised p-4 text-ink shadow-float focus:outline-none"
          onEscapeKeyDown={keepOpenWhileComposing}
          {...focus}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
