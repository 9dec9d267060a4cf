import { ImageOff, LoaderCircle } from "lucide-react";
import { useState } from "react";
import { BlobImage } from "@/ui/blob-image.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { pictureBox, type MessagePicture } from "../model/message-picture.ts";
import { useMessagePicture } from "../queries.ts";
import { chatMessageStrings, chatStrings } from "../strings.ts";

export interface MessagePictureViewProps {
  readonly picture: MessagePicture;
  readonly author: string;
  /** It is on its way to the server. */
  readonly sending: boolean;
  /** Its button is in the tab order. */
  readonly focusable: boolean;
  /** False while the list scrolls past, so that nothing is loaded in vain. */
  readonly mayLoad: boolean;
}

/** The picture of a message, in a place that is as large before it is loaded. It opens large. */
export function MessagePictureView(props: MessagePictureViewProps) {
  const { picture, author, sending, focusable, mayLoad } = props;
  const [open, setOpen] = useState(false);
  const { data, isError, refetch } = useMessagePicture(picture, mayLoad);
  const blob = picture.file ?? data;
  const box = pictureBox(picture);
  const alt = picture.alt || chatStrings.noDescription;
  return (
    <>
      <div
        className="relative mt-1 mb-0.5 max-w-full overflow-hidden rounded-card border border-line bg-sunken"
        style={{ width: box.width, aspectRatio: box.ratio }}
      >
        {blob ? (
          <button
            type="button"
            tabIndex={focusable ? 0 : -1}
            aria-haspopup="dialog"
            aria-label={chatMessageStrings.openPicture(alt)}
            onClick={() => setOpen(true)}
            className="block size-full cursor-zoom-in focus-visible:-outline-offset-2"
          >
            <BlobImage blob={blob} alt={alt} className="size-full object-cover" />
          </button>
        ) : isError ? (
          <button
            type="button"
            tabIndex={focusable ? 0 : -1}
            onClick={() => void refetch()}
            className="flex size-full flex-wrap content-center items-center justify-center gap-x-2 overflow-hidden p-1 text-sm text-muted hover:bg-hover hover:text-ink focus-visible:-outline-offset-2"
          >
            <ImageOff aria-hidden className="size-4 shrink-0" />
            <span>{chatStrings.pictureNotLoaded}</span>
            <span className="underline underline-offset-4">{chatStrings.retry}</span>
          </button>
        ) : (
          <>
            <span className="sr-only">{chatMessageStrings.loadingPicture(alt)}</span>
            <Skeleton className="h-full rounded-none" />
          </>
        )}
        {sending ? (
          <span
            role="progressbar"
            aria-label={chatMessageStrings.sendingPicture}
            className="absolute right-2 bottom-2 grid size-8 place-items-center rounded-full bg-raised shadow-float"
          >
            <LoaderCircle aria-hidden className="size-4 animate-[turn_800ms_linear_infinite]" />
          </span>
        ) : null}
      </div>
      {blob ? (
        <Dialog
          open={open}
          onOpenChange={setOpen}
          wide
          title={chatMessageStrings.pictureOf(author)}
          description={picture.alt || undefined}
        >
          <BlobImage
            blob={blob}
            alt={alt}
            className="mx-auto max-h-[calc(100dvh-12rem)] max-w-full rounded-control object-contain"
          />
        </Dialog>
      ) : null}
    </>
  );
}
