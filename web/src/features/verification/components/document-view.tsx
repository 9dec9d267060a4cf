import { Download, ExternalLink } from "lucide-react";
import { useEffect, useRef } from "react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import type { LoadedDocument } from "../api/load-document.ts";

export interface DocumentViewProps {
  readonly document: LoadedDocument | undefined;
  readonly failed: boolean;
  readonly holder: string;
  readonly loading: boolean;
  /** False for one's own document. */
  readonly mayDecide: boolean;
  readonly onReload: () => void;
}

/** Hands the bytes to the browser as a file. */
function save(bytes: Blob): void {
  const address = URL.createObjectURL(bytes);
  const link = window.document.createElement("a");
  link.href = address;
  link.download = "identity-document.pdf";
  link.click();
  // The browser takes the file in its own time.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

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
  useEffect(() => {
    if (!document || image.current === null) return;
    const address = URL.createObjectURL(document.bytes);
    image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [document]);
  const kind = document?.kind;
  return (
    <div className="grid content-start gap-3">
      <div className="grid min-h-64 place-items-center overflow-hidden rounded-control border border-line bg-raised">
        {failed ? (
          <p role="alert" className="p-6 text-center text-sm text-muted">
            The document couldn't be opened.
          </p>
        ) : null}
        {!document && !failed ? <Skeleton className="h-64 w-full rounded-none" /> : null}
        {kind === "image/jpeg" || kind === "image/png" ? (
          <img
            ref={image}
            alt={`Identity document of ${holder}`}
            className="max-h-[32rem] w-full object-contain"
          />
        ) : null}
        {kind === "application/pdf" ? (
          <p className="p-6 text-center text-sm text-muted">This is a PDF. Save it to read it.</p>
        ) : null}
        {kind === null ? (
          <Alert tone="danger" className="m-5" title="This is neither a picture nor a PDF">
            Reject it and ask for a photo or a scan.
          </Alert>
        ) : null}
      </div>
      <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
        {document && kind === "application/pdf" ? (
          <Button variant="secondary" size="sm" onClick={() => save(document.bytes)}>
            <Download aria-hidden className="size-4" />
            Save the PDF
          </Button>
        ) : null}
        {kind === "image/jpeg" || kind === "image/png" ? (
          <Button
            variant="secondary"
            size="sm"
            onClick={() => window.open(image.current?.src, "_blank")}
          >
            <ExternalLink aria-hidden className="size-4" />
            Open in a new tab
          </Button>
        ) : null}
        {failed ? (
          <Button variant="quiet" size="sm" loading={loading} onClick={onReload}>
            Try again
          </Button>
        ) : null}
        {mayDecide ? <span>Your decision applies to exactly this file.</span> : null}
      </div>
    </div>
  );
}
