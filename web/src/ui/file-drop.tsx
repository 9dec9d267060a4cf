import { FileText, Upload, X } from "lucide-react";
import { useId, useRef, useState, type DragEvent } from "react";
import { classNames } from "./class-names.ts";
import { FieldError, type FieldTexts } from "./field.tsx";

export interface FileDropProps extends FieldTexts {
  /** As in the `accept` attribute, such as `.jpg,.png,application/pdf`. */
  readonly accept: string;
  readonly file: File | null;
  /** Called with the file chosen or dropped, or null when it is taken away. Check it there. */
  readonly onFile: (file: File | null) => void;
  readonly disabled?: boolean | undefined;
  readonly name?: string | undefined;
}

/** Picks one file by button, keyboard or drag and drop, and shows which one it is. */
export function FileDrop({
  label,
  hint,
  error,
  accept,
  file,
  onFile,
  disabled,
  name,
}: FileDropProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""]
    .filter(Boolean)
    .join(" ");

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped && disabled !== true) onFile(dropped);
  }

  function clear() {
    if (input.current) input.current.value = "";
    onFile(null);
    input.current?.focus();
  }

  return (
    <div className="grid grid-cols-1 gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-ink">
        {label}
      </label>
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classNames(
          "relative rounded-card border border-dashed border-control-line bg-raised transition-colors has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent",
          over && "wash border-accent",
          error && "border-danger",
        )}
      >
        <input
          ref={input}
          id={id}
          name={name}
          type="file"
          accept={accept}
          disabled={disabled}
          aria-describedby={described || undefined}
          aria-invalid={Boolean(error) || undefined}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            if (chosen) onFile(chosen);
          }}
          className="absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
        />
        {file ? (
          <div className="flex items-center gap-3 p-4">
            <FileText aria-hidden className="size-5 shrink-0 text-muted" />
            <div className="min-w-0 grow">
              <p className="truncate text-sm font-medium">{file.name}</p>
              <p className="tabular text-sm text-muted">{formatBytes(file.size)}</p>
            </div>
            <button
              type="button"
              onClick={clear}
              disabled={disabled}
              className="relative z-10 grid size-11 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
              aria-label={`Remove ${file.name}`}
            >
              <X aria-hidden className="size-4.5" />
            </button>
          </div>
        ) : (
          <div className="flex items-center gap-4 p-5">
            <Upload aria-hidden className="size-5 shrink-0 text-muted" />
            <div>
              <p className="text-sm font-medium">
                <span className="underline underline-offset-4">Choose a file</span>
                <span className="text-muted"> or drop it here</span>
              </p>
              {hint ? (
                <p id={`${id}-hint`} className="text-sm text-muted">
                  {hint}
                </p>
              ) : null}
            </div>
          </div>
        )}
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

/** `1536` → `1.5 KB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}
