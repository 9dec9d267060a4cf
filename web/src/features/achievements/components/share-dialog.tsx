import { useEffect, useState } from "react";
import { brand } from "@/domain/brand.ts";
import { sharedCardPath } from "@/domain/paths.ts";
import { saveFile } from "@/lib/save-file.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { copyAddress } from "@/ui/copy-text.ts";
import { Dialog } from "@/ui/dialog.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { toPng, type ShareSubject } from "../model/shared-card.ts";
import { useShareCard, useStopSharing } from "../mutations.ts";
import { useSharedCard } from "../queries.ts";
import { achievementStrings, explainAchievementError } from "../strings.ts";

export interface ShareDialogProps {
  /** Null while nothing is to be shared. */
  readonly subject: ShareSubject | null;
  /** Its code when it is shared already. */
  readonly code: string | undefined;
  readonly onClose: () => void;
}

/** Shares one card by the member's own click, and takes it back. Nothing is public before. */
export function ShareDialog({ subject, code, onClose }: ShareDialogProps) {
  return (
    <Dialog
      open={subject !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={achievementStrings.shareTitle}
      description={
        code === undefined ? achievementStrings.shareText : achievementStrings.sharedText
      }
    >
      {subject === null ? null : code === undefined ? (
        <AskToShare subject={subject} onClose={onClose} />
      ) : (
        <SharedAlready title={subject.title} code={code} onClose={onClose} />
      )}
    </Dialog>
  );
}

function AskToShare({
  subject,
  onClose,
}: {
  readonly subject: ShareSubject;
  readonly onClose: () => void;
}) {
  const sharing = useShareCard();
  return (
    <div className="grid gap-4">
      <p className="font-medium break-words">{subject.title}</p>
      {sharing.isError ? (
        <Alert tone="danger">
          {achievementStrings.notShared} {explainAchievementError(sharing.error)}
        </Alert>
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button loading={sharing.isPending} onClick={() => sharing.mutate(subject)}>
          {achievementStrings.makePublic}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {achievementStrings.keepPrivate}
        </Button>
      </div>
    </div>
  );
}

interface Picture {
  readonly png: Blob;
  /** Where it is shown from. */
  readonly address: string;
}

/** The picture as PNG. Undefined while it is drawn, null when it can't be. */
function usePicture(svg: string | null | undefined): Picture | null | undefined {
  const [picture, setPicture] = useState<Picture | null>();
  useEffect(() => {
    if (typeof svg !== "string") return undefined;
    let address: string | null = null;
    let isCurrent = true;
    toPng(svg).then(
      (png) => {
        if (!isCurrent) return;
        address = URL.createObjectURL(png);
        setPicture({ png, address });
      },
      (error: unknown) => {
        console.error("The card was not drawn", error);
        if (isCurrent) setPicture(null);
      },
    );
    return () => {
      isCurrent = false;
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [svg]);
  return svg === null ? null : picture;
}

function SharedAlready({
  title,
  code,
  onClose,
}: {
  readonly title: string;
  readonly code: string;
  readonly onClose: () => void;
}) {
  const link = new URL(sharedCardPath(code), window.location.origin).href;
  const { data, isError } = useSharedCard(code);
  const stopping = useStopSharing();
  const picture = usePicture(isError ? null : data?.svg);
  const words = data?.card ? `${data.card.name}: ${data.card.title}. ${data.card.line}` : title;

  const copy = () => copyAddress(sharedCardPath(code), achievementStrings.copied);

  async function share() {
    const files = picture ? [new File([picture.png], "card.png", { type: "image/png" })] : [];
    const withPicture = { title, url: link, files };
    try {
      await navigator.share(navigator.canShare(withPicture) ? withPicture : { title, url: link });
    } catch (error) {
      // Closing the system's window is no failure.
      if (!(error instanceof DOMException && error.name === "AbortError")) {
        console.error("The system did not share it", error);
        await copy();
      }
    }
  }

  async function stop() {
    try {
      await stopping.mutateAsync(code);
      toast.good(achievementStrings.stopped);
      onClose();
    } catch (error) {
      console.error("The card is still shared", error);
    }
  }

  return (
    <div className="grid gap-4">
      {!picture ? (
        picture === null ? (
          <Alert tone="warn">{achievementStrings.noPicture}</Alert>
        ) : (
          <Skeleton className="aspect-[1200/630] rounded-control" />
        )
      ) : (
        <img
          src={picture.address}
          alt={words}
          width={1200}
          height={630}
          className="h-auto w-full rounded-control border border-line"
        />
      )}
      <p className="rounded-control bg-sunken px-3 py-2 text-sm break-all select-all">{link}</p>
      {stopping.isError ? (
        <Alert tone="danger">
          {achievementStrings.notStopped} {explainAchievementError(stopping.error)}
        </Alert>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {"share" in navigator && "canShare" in navigator ? (
          <Button onClick={() => void share()}>{achievementStrings.shareBySystem}</Button>
        ) : null}
        <Button variant="secondary" onClick={() => void copy()}>
          {achievementStrings.copyLink}
        </Button>
        {picture ? (
          <Button
            variant="secondary"
            onClick={() => saveFile(`${brand.name.toLowerCase()}-card.png`, picture.png)}
          >
            {achievementStrings.downloadPicture}
          </Button>
        ) : null}
        <Button variant="quiet" loading={stopping.isPending} onClick={() => void stop()}>
          {achievementStrings.stopSharing}
        </Button>
      </div>
    </div>
  );
}
