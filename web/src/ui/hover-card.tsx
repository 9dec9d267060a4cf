import { Popover as RadixPopover } from "radix-ui";
import type { ReactNode, RefObject } from "react";

export interface HoverCardProps {
  readonly id: string;
  readonly onClose: () => void;
  /** What the card hangs from. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onPointerEnter: () => void;
  readonly onPointerLeave: () => void;
  /** Nothing that takes the focus: the page the anchor leads to has the same and more. */
  readonly children: ReactNode;
}

/** A card about what the pointer or the focus is on. It stays while the pointer is on it; Escape closes it. */
export function HoverCard({ id, onClose, anchor, children, ...pointer }: HoverCardProps) {
  return (
    <RadixPopover.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <RadixPopover.Anchor virtualRef={anchor} />
      <RadixPopover.Portal>
        <RadixPopover.Content
          id={id}
          role="tooltip"
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="z-40 w-80 max-w-[calc(100vw-1rem)] animate-[rise_140ms_ease-out] rounded-card border border-line bg-raised p-4 text-ink shadow-float"
          {...pointer}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
