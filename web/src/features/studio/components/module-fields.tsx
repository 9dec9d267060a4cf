import { useEffect, useRef, type ReactNode } from "react";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { slugOf, type DraftModule } from "../model/draft.ts";
import { moduleStrings, titleOfModule } from "../strings/modules.ts";
import { textEditorStrings } from "../strings/text-editor.ts";
import type { UploadKind } from "../use-film-upload.ts";
import { FilmField } from "./film-field.tsx";
import { NumberField } from "./number-field.tsx";
import { TextEditor } from "./text-editor.tsx";

/** What is written of one module: its title and text first. */
export function ModuleFields({
  module,
  place,
  isAdded,
  listButton,
  onChange,
  onRemove,
  onUpload,
}: {
  readonly module: DraftModule;
  readonly place: number;
  /** It was just added: the focus goes to its title. */
  readonly isAdded: boolean;
  /** Opens the list of modules, where it is folded. */
  readonly listButton?: ReactNode;
  readonly onChange: (changes: Partial<DraftModule>) => void;
  /** Null while there is nothing to remove. */
  readonly onRemove: (() => void) | null;
  readonly onUpload: (kind: UploadKind) => void;
}) {
  const title = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAdded) title.current?.focus();
  }, [isAdded]);
  const follows = module.slug === slugOf(module.title);
  return (
    <div className="grid grid-cols-1 gap-4">
      <TextEditor
        label={textEditorStrings.lesson(place)}
        heading={
          <>
            <input
              ref={title}
              aria-label={moduleStrings.titleLabel(place)}
              placeholder={moduleStrings.titleLabel(place)}
              maxLength={200}
              value={module.title}
              onChange={({ target: { value: title } }) =>
                onChange({ title, ...(follows ? { slug: slugOf(title) } : {}) })
              }
              className="display -ml-2 min-h-11 min-w-0 grow rounded-control border border-transparent bg-transparent px-2 text-lg placeholder:text-muted hover:border-control-line"
            />
            {listButton}
          </>
        }
        markdown={module.content}
        onChange={(content) => onChange({ content })}
      />
      <div className="grid grid-cols-1 items-start gap-4 border-t border-line pt-4 sm:grid-cols-2">
        <TextField
          label={moduleStrings.address}
          maxLength={120}
          value={module.slug}
          onChange={(event) => onChange({ slug: event.target.value })}
        />
        <NumberField
          label={moduleStrings.minutes}
          hint={moduleStrings.minutesHint}
          wrong={moduleStrings.minutesWrong}
          min={1}
          max={600}
          defaultValue={module.minutes ?? ""}
          onNumber={(minutes) => onChange({ minutes })}
        />
        <FilmField
          place={place}
          title={titleOfModule(module)}
          address={module.videoUrl}
          onChange={(videoUrl) => onChange({ videoUrl })}
          onUpload={onUpload}
        />
      </div>
      {onRemove === null ? null : (
        <Button variant="secondary" className="justify-self-start" onClick={onRemove}>
          {moduleStrings.remove(place)}
        </Button>
      )}
    </div>
  );
}
