import { useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import { Dialog } from "./dialog.tsx";

export interface LockedEntry {
  /** What opens it, such as `Level 2`. */
  readonly opensAt: string;
  /** What is behind the door and what is left to do. */
  readonly explanation: ReactNode;
}

export interface LockedDoorProps {
  /** Names what is closed. */
  readonly label: string;
  readonly locked: LockedEntry;
  readonly className: string;
  readonly children: ReactNode;
}

/** A closed entry: a button that says what is behind it and what opens it. */
export function LockedDoor({ label, locked, className, children }: LockedDoorProps) {
  const [openAt, setOpenAt] = useState<string | null>(null);
  const { pathname } = useLocation();
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className={className}
        onClick={() => setOpenAt(pathname)}
      >
        {children}
      </button>
      {/* Open only on the page it was opened on, so that a link inside closes it. */}
      <Dialog
        open={openAt === pathname}
        onOpenChange={(open) => setOpenAt(open ? pathname : null)}
        title={`${label} opens at ${locked.opensAt}`}
      >
        {locked.explanation}
      </Dialog>
    </>
  );
}
