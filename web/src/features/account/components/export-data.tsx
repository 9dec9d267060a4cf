import { Download } from "lucide-react";
import { useState } from "react";
import { brand } from "@/domain/brand.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { exportMyData } from "../api/export-my-data.ts";
import { saveFile } from "../model/save-file.ts";

/** Saves everything we keep about the member as a file. */
export function ExportData() {
  const { client } = useBackend();
  const [state, setState] = useState<"idle" | "busy" | "done" | "failed">("idle");

  async function run() {
    setState("busy");
    try {
      const text = await exportMyData(client);
      saveFile(`${brand.name.toLowerCase()}-my-data.json`, text, "application/json");
      setState("done");
    } catch (error) {
      console.error("The data could not be exported", error);
      setState("failed");
    }
  }

  return (
    <div className="grid gap-4">
      <div>
        <Button variant="secondary" loading={state === "busy"} onClick={() => void run()}>
          <Download aria-hidden className="size-4" />
          Export my data
        </Button>
      </div>
      {state === "done" ? <Alert tone="good">Your data was saved as a file.</Alert> : null}
      {state === "failed" ? (
        <Alert tone="danger">
          Your data couldn't be exported. Check your connection and try again.
        </Alert>
      ) : null}
    </div>
  );
}
