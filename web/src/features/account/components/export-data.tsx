import { Download } from "lucide-react";
import { useState } from "react";
import { brand } from "@/domain/brand.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { exportMyData } from "../api/export-my-data.ts";
import { noteExport } from "../api/note-export.ts";
import { exportStrings } from "../strings.ts";
import { saveFile } from "@/lib/save-file.ts";

const tooOften = "FF300";

function isTooOften(error: unknown): boolean {
  return typeof error === "object" && error !== null && Reflect.get(error, "code") === tooOften;
}

/** Saves everything we keep about the member as one archive. */
export function ExportData() {
  const { client } = useBackend();
  const [state, setState] = useState<"idle" | "busy" | "done" | "failed" | "too often">("idle");
  const [missingCount, setMissingCount] = useState(0);

  async function run() {
    setState("busy");
    try {
      const { archive, missing } = await exportMyData(client, exportStrings.missingFiles);
      saveFile(`${brand.name.toLowerCase()}-my-data.zip`, archive);
      setMissingCount(missing.length);
      setState("done");
      void noteExport(client, missing.length === 0 ? null : "files");
    } catch (error) {
      console.error("The data could not be exported", error);
      setState(isTooOften(error) ? "too often" : "failed");
      if (!isTooOften(error)) void noteExport(client, "rows");
    }
  }

  return (
    <div className="grid gap-4">
      <div>
        <Button variant="secondary" loading={state === "busy"} onClick={() => void run()}>
          <Download aria-hidden className="size-4" />
          {exportStrings.start}
        </Button>
      </div>
      {state === "done" ? <Alert tone="good">{exportStrings.done}</Alert> : null}
      {state === "done" && missingCount > 0 ? (
        <Alert tone="warn">{exportStrings.incomplete(missingCount)}</Alert>
      ) : null}
      {state === "too often" ? <Alert tone="danger">{exportStrings.tooOften}</Alert> : null}
      {state === "failed" ? <Alert tone="danger">{exportStrings.failed}</Alert> : null}
    </div>
  );
}
