import { Pin as PinIcon } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "react-router";
import { useIsBlocked } from "@/features/people/index.ts";
import { messageExcerpt } from "@/lib/message-excerpt.ts";
import { Button } from "@/ui/button.tsx";
import type { Pin } from "../api/pins.ts";
import { chatStrings, roomStrings } from "../strings.ts";

/** The pinned messages above the conversation: the newest one, and the others on request. Each leads to its message. */
export function PinStrip({ pins }: { readonly pins: readonly Pin[] }) {
  const [open, setOpen] = useState(false);
  const listId = useId();
  if (pins.length === 0) return null;
  const shown = open ? pins : pins.slice(0, 1);
  return (
    <section
      aria-label={roomStrings.pinned}
      className="flex shrink-0 items-start gap-2 short:hidden border-b border-line bg-sunken px-3 py-1 sm:px-6"
    >
      <PinIcon aria-hidden className="mt-3 size-4 shrink-0 text-accent" />
      <ul id={listId} className="min-w-0 grow">
        {shown.map((pin) => (
          <li key={pin.messageId}>
            <PinnedLine pin={pin} />
          </li>
        ))}
      </ul>
      {pins.length > 1 ? (
        <Button
          variant="quiet"
          size="sm"
          aria-expanded={open}
          aria-controls={listId}
          className="my-0.5 shrink-0"
          onClick={() => setOpen(!open)}
        >
          {open ? roomStrings.fewerPins : roomStrings.allPins(pins.length)}
        </Button>
      ) : null}
    </section>
  );
}

function PinnedLine({ pin }: { readonly pin: Pin }) {
  const blocked = useIsBlocked(pin.authorId);
  return (
    <Link
      to={{ hash: pin.messageId }}
      className="flex min-h-10 min-w-0 items-center gap-2 rounded-control px-2 text-sm hover:bg-hover"
    >
      {blocked ? (
        <span className="truncate text-muted italic">{chatStrings.blockedLine}</span>
      ) : (
        <>
          <bdi className="shrink-0 font-medium">{pin.author}</bdi>
          <span dir="auto" className="truncate text-muted">
            {messageExcerpt(pin.content)}
          </span>
        </>
      )}
    </Link>
  );
}
