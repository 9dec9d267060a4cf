import { useEffect, useRef, useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { saveFile } from "@/lib/save-file.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { openClaimDocument, type ClaimFile } from "../api/claim-document.ts";
import { claimDocumentStrings } from "../strings/claims.ts";

/** The document of a claim that waits. It is read when it is asked for, because each opening is recorded. */
export function ClaimDocument({
  claimId,
  holder,
}: {
  readonly claimId: string;
  readonly holder: string;
}) {
  const { client } = useBackend();
  const image = useRef<HTMLImageElement>(null);
  const [file, setFile] = useState<ClaimFile | null>(null);
  const [failed, setFailed] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (file === null || image.current === null) return;
    const address = URL.createObjectURL(file.bytes);
    image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [file]);

  async function open() {
    setBusy(true);
    const opened = await openClaimDocument(client, claimId).catch(() => null);
    setBusy(false);
    setFailed(opened === null);
    setFile(opened);
  }

  const isPicture = file?.kind === "image/jpeg" || file?.kind === "image/png";
  return (
    <div className="grid justify-items-start gap-3">
      {file === null ? (
        <>
          <Button variant="secondary" size="sm" loading={busy} onClick={() => void open()}>
            {claimDocumentStrings.open}
          </Button>
          <p className="text-sm text-muted">{claimDocumentStrings.openNote}</p>
        </>
      ) : null}
      {failed ? <Alert tone="danger">{claimDocumentStrings.openFailed}</Alert> : null}
      {isPicture ? (
        <img
          ref={image}
          alt={claimDocumentStrings.alt(holder)}
          className="max-h-[60dvh] max-w-full rounded-control border border-line"
        />
      ) : null}
      {file?.kind === "application/pdf" ? (
        <Button variant="secondary" size="sm" onClick={() => saveFile("income.pdf", file.bytes)}>
          {claimDocumentStrings.savePdf}
        </Button>
      ) : null}
      {file !== null && file.kind === null ? (
        <Alert tone="danger">{claimDocumentStrings.wrongKind}</Alert>
      ) : null}
    </div>
  );
}
