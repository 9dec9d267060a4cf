import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/ui/button.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { isKeyTaken } from "@/lib/is-key-taken.ts";
import { messageSearchStrings } from "../strings.ts";
import { MessageSearchPanel, type SearchedRoom } from "./message-search-panel.tsx";

/** The button that searches messages, of one room or of all. The key `/` does the same. */
export function MessageSearch({
  room,
  labelled = false,
}: {
  /** Null where no room is open. */
  readonly room: SearchedRoom | null;
  /** Shows the button's name. */
  readonly labelled?: boolean | undefined;
}) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || isKeyTaken(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <Button
        variant={labelled ? "secondary" : "quiet"}
        aria-label={labelled ? undefined : messageSearchStrings.search}
        aria-haspopup="dialog"
        aria-keyshortcuts="/"
        title={`${messageSearchStrings.search} (/)`}
        className={labelled ? undefined : "size-11 shrink-0 px-0 text-muted hover:text-ink"}
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden className="size-4" />
        {labelled ? messageSearchStrings.search : null}
      </Button>
      <Sheet open={open} onOpenChange={setOpen} from="side" title={messageSearchStrings.search}>
        <MessageSearchPanel room={room} onOpened={() => setOpen(false)} />
      </Sheet>
    </>
  );
}
