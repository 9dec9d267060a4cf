import type { ReactNode } from "react";
import { Button } from "@/ui/button.tsx";
import { chatMessageStrings } from "../strings.ts";

const foldOverCharacters = 1000;
const foldOverLines = 14;

/** Whether a message is longer than what a room shows of it at once. */
export function isLongMessage(text: string): boolean {
  return text.length > foldOverCharacters || text.split("\n").length > foldOverLines;
}

/** The beginning of a long message, and the rest when it is asked for. */
export function MessageFold({
  open,
  focusable,
  onToggle,
  children,
}: {
  readonly open: boolean;
  readonly focusable: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}) {
  return (
    <>
      <div
        className={
          open
            ? undefined
            : "max-h-60 overflow-hidden [mask-image:linear-gradient(black_75%,transparent)]"
        }
      >
        {children}
      </div>
      <Button
        variant="quiet"
        size="sm"
        className="-ml-3"
        aria-expanded={open}
        tabIndex={focusable ? 0 : -1}
        onClick={onToggle}
      >
        {open ? chatMessageStrings.showLess : chatMessageStrings.showMore}
      </Button>
    </>
  );
}
