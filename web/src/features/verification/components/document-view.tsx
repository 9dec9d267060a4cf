import { Download, ExternalLink, RotateCw, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { saveFile } from "@/lib/save-file.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import type { LoadedDocument } from "../api/load-document.ts";
import { documentViewStrings } from "../strings.ts";

export interface DocumentViewProps {
  readonly document: LoadedDocument | undefined;
  readonly failed: boolean;
  readonly holder: string;
  readonly loading: boolean;
  /** False for one's own document. */
  readonly mayDecide: boolean;
  readonly onReload: () => void;
}

const zooms = [1, 1.5, 2, 3, 4] as const;

/** A document's bytes: a picture is shown, a PDF is saved and never opened inside the app. */
export function DocumentView({
  document,
  failed,
  holder,
  loading,
  mayDecide,
  onReload,
}: DocumentViewProps) {
  const image = useRef<HTMLImageElement>(null);
  const [step, setStep] = useState(0);
  const [turns, setTurns] = useState(0);
  useEffect(() => {
    if (!document || image.current === null) return;
    const address = URL.createObjectURL(document.bytes);
    image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [document]);
  const kind = document?.kind;
  const isPicture = kind === "image/jpeg" || kind === "image/png";
  const size = `${(zooms[step] ?? 1) * 100}%`;
  const isSideways = turns % 2 === 1;
  return (
    <div className="grid content-start gap-3">
      <div className="grid min-h-64 overflow-hidden rounded-control border border-line bg-raised">
        {failed ? (
          <p role="alert" className="place-self-center p-6 text-center text-sm text-muted">
            {documentViewStrings.openFailed}
          </p>
        ) : null}
        {!document && !failed ? <Skeleton className="h-64 w-full rounded-none" /> : null}
        {isPicture ? (
          // Focusable while it scrolls, so that the arrow keys move an enlarged picture.
          <div
            role="group"
            aria-label={documentViewStrings.picture(size)}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the focus for its arrow keys
            tabIndex={step > 0 ? 0 : undefined}
            className="h-[min(32rem,60dvh)] overflow-auto focus-visible:-outline-offset-2"
          >
            <div className="[container-type:size] relative" style={{ width: size, height: size }}>
              <img
                ref={image}
                alt={documentViewStrings.pictureAlt(holder)}
                className="absolute top-1/2 left-1/2 max-w-none object-contain"
                style={{
                  width: isSideways ? "100cqh" : "100cqw",
                  height: isSideways ? "100cqw" : "100cqh",
                  transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
                }}
              />
            </div>
          </div>
        ) : null}
        {kind === "application/pdf" ? (
          <p className="place-self-center p-6 text-center text-sm text-muted">
            {documentViewStrings.pdf}
          </p>
        ) : null}
        {kind === null ? (
          <Alert tone="danger" className="m-5" title={documentViewStrings.unknownTitle}>
            {documentViewStrings.unknown}
          </Alert>
        ) : null}
      </div>
      <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {document && kind === "application/pdf" ? (
          <Button
            variant="secondary"
            size="sm"
            aria-keyshortcuts="s"
            onClick={() => saveFile("identity-document.pdf", document.bytes)}
          >
            <Download aria-hidden className="size-4" />
            {documentViewStrings.savePdf}
          </Button>
        ) : null}
        {isPicture ? (
          <>
            <Button
              variant="secondary"
              size="sm"
              aria-keyshortcuts="+"
              aria-disabled={step === zooms.length - 1}
              onClick={() => setStep((now) => Math.min(now + 1, zooms.length - 1))}
            >
              <ZoomIn aria-hidden className="size-4" />
              {documentViewStrings.zoomIn}
            </Button>
            <Button
              variant="secondary"
              size="sm"
              aria-keyshortcuts="-"
              aria-disabled={step === 0}
              onClick={() => setStep((now) => Math.max(now - 1, 0))}
            >
              <ZoomOut aria-hidden className="size-4" />
              {documentViewStrings.zoomOut}
            </Button>
            <Button
              variant="secondary"
              size="sm"
              aria-keyshortcuts="r"
              onClick={() => setTurns((now) => now + 1)}
            >
              <RotateCw aria-hidden className="size-4" />
              {documentViewStrings.rotate}
            </Button>
            <Button
              variant="secondary"
              size="sm"
              onClick={() => window.open(image.current?.src, "_blank")}
            >
              <ExternalLink aria-hidden className="size-4" />
              {documentViewStrings.openInTab}
            </Button>
          </>
        ) : null}
        {failed ? (
          <Button variant="quiet" size="sm" loading={loading} onClick={onReload}>
            {documentViewStrings.retry}
          </Button>
        ) : null}
        {mayDecide ? <span>{documentViewStrings.exactFile}</span> : null}
      </div>
    </div>
  );
}
