import { FolderUp } from "lucide-react";
import { useRef, useState, type DragEvent } from "react";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { droppedFiles, inputFiles } from "../model/dropped-files.ts";
import type { ChosenFile } from "../model/import-files.ts";
import { importDropStrings } from "../strings/import.ts";

/** Takes files, a folder or a zip archive, chosen or dropped. */
export function ImportDrop({
  busy,
  onChosen,
}: {
  readonly busy: boolean;
  /** Called with what is being collected. */
  readonly onChosen: (files: Promise<readonly ChosenFile[]>) => void;
}) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    if (!busy) onChosen(droppedFiles(event.dataTransfer));
  }

  function take(input: HTMLInputElement) {
    const chosen = inputFiles(input.files);
    // The same files, mended, can be chosen again.
    input.value = "";
    if (chosen.length > 0) onChosen(Promise.resolve(chosen));
  }

  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classNames(
        "grid justify-items-center gap-4 rounded-card border border-dashed border-control-line bg-raised p-6 text-center",
        over && "wash border-accent",
      )}
    >
      <FolderUp aria-hidden className="size-6 text-muted" />
      <p className="max-w-prose text-sm text-muted">{importDropStrings.hint}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <Button variant="secondary" loading={busy} onClick={() => files.current?.click()}>
          {importDropStrings.chooseFiles}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={() => folder.current?.click()}>
          {importDropStrings.chooseFolder}
        </Button>
      </div>
      <input
        ref={files}
        type="file"
        multiple
        accept=".md,.markdown,.mdown,.zip,text/markdown,application/zip"
        aria-label={importDropStrings.files}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => take(event.target)}
      />
      <input
        ref={(input) => {
          folder.current = input;
          // Not among the attributes that React's types know.
          if (input) input.webkitdirectory = true;
        }}
        type="file"
        aria-label={importDropStrings.folder}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => take(event.target)}
      />
    </div>
  );
}
