import { Download, FolderUp } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryLaterMessage, tryAgain } from "@/lib/errors.ts";
import { saveFile } from "@/lib/save-file.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { studioFilesStrings } from "../strings/studio.ts";

/** Brings one's own Markdown in, and takes everything one wrote along. */
export function StudioFiles() {
  const { client } = useBackend();
  const [busy, setBusy] = useState(false);
  const [note, setNote] = useState<{ tone: "danger" | "info" | "good"; text: string } | null>(null);
  async function run() {
    setBusy(true);
    setNote(null);
    try {
      // The writer and its checks are loaded when they are needed.
      const { exportStudio } = await import("../api/export-studio.ts");
      const archive = await exportStudio(client);
      if (archive === null) setNote({ tone: "info", text: studioFilesStrings.nothingToExport });
      else {
        saveFile(`${brand.name.toLowerCase()}-studio.zip`, archive);
        setNote({ tone: "good", text: studioFilesStrings.exported });
      }
    } catch (error) {
      console.error("The work was not exported", error);
      const text = retryLaterMessage(error) ?? studioFilesStrings.exportFailed(tryAgain);
      setNote({ tone: "danger", text });
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className="grid gap-3 max-sm:w-full">
      <div className="grid grid-cols-2 gap-3 sm:flex">
        <Button variant="secondary" className="max-sm:px-2" asChild>
          <Link to={paths.studioImport}>
            <FolderUp aria-hidden className="size-4" />
            {studioFilesStrings.import}
          </Link>
        </Button>
        <Button
          variant="secondary"
          className="max-sm:px-2"
          loading={busy}
          onClick={() => void run()}
        >
          <Download aria-hidden className="size-4" />
          {studioFilesStrings.export}
        </Button>
      </div>
      {note === null ? null : <Alert tone={note.tone}>{note.text}</Alert>}
    </div>
  );
}
