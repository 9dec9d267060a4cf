import { useState, type DragEvent } from "react";

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes("Files");
}

/** Lets files be dropped anywhere on an element. Null refuses them. */
export function useFileDrop(onFiles: ((files: readonly File[]) => void) | null): {
  /** Files are held over the element. */
  readonly over: boolean;
  readonly handlers: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
} {
  const [over, setOver] = useState(false);
  return {
    over: over && onFiles !== null,
    handlers: {
      onDragOver: (event) => {
        if (onFiles === null || !carriesFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event) => {
        const { currentTarget, relatedTarget } = event;
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          setOver(false);
      },
      onDrop: (event) => {
        setOver(false);
        if (onFiles === null || !carriesFiles(event)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
