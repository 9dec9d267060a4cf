import { useState } from "react";
import { isComposing } from "@/ui/composition.ts";
import { FieldError } from "@/ui/field.tsx";
import { useCharacterLimit } from "@/ui/character-limit.ts";
import { useInitialFocus } from "@/ui/use-initial-focus.ts";
import { useRailScreen } from "@/ui/use-wide-screen.ts";
import { slugOf, type DraftContent, type DraftKind } from "../model/draft.ts";
import { draftFieldId } from "../find-draft-field.ts";
import { draftFieldsStrings } from "../strings/draft.ts";

export interface TitleFieldProps {
  readonly kind: DraftKind;
  readonly content: Pick<DraftContent, "title" | "slug">;
  /** The address stays once it is published. */
  readonly placeIsFixed: boolean;
  readonly error: string | undefined;
  readonly onChange: (changes: Partial<DraftContent>) => void;
  /** Enter was pressed: the title is one line, and what follows is the text. */
  readonly onEnter: () => void;
}

const errorId = "draft-title-error";
const counterId = "draft-title-counter";

/** The title, written where it will stand. The address follows it until it was published or changed by hand. */
export function TitleField({
  kind,
  content,
  placeIsFixed,
  error,
  onChange,
  onEnter,
}: TitleFieldProps) {
  const { ref, counter } = useCharacterLimit<HTMLTextAreaElement>(200, {
    ref: undefined,
    value: content.title,
  });
  // What is new begins with its title; on a phone the keyboard would cover the page before it was seen.
  const [beginsHere] = useState(content.title === "");
  const takesFocus = useRailScreen() && beginsHere;
  useInitialFocus();
  const follows = !placeIsFixed && content.slug === slugOf(content.title);
  return (
    <div className="grid gap-1">
      <textarea
        rows={1}
        id={draftFieldId("title")}
        ref={ref}
        data-initial-focus={takesFocus ? "" : undefined}
        aria-label={draftFieldsStrings.title}
        placeholder={draftFieldsStrings.titlePlaceholder(kind)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${errorId} ${counterId}`}
        className="display -mx-2 block field-sizing-content min-h-11 w-[calc(100%+1rem)] resize-none rounded-control border border-transparent bg-transparent px-2 py-0.5 text-2xl placeholder:text-muted hover:border-control-line aria-invalid:border-danger sm:text-3xl"
        value={content.title}
        onChange={({ target: { value } }) => {
          // It wraps, but it is one line.
          const lines = value.split("\n");
          const title = lines.length === 1 ? value : lines.map((line) => line.trim()).join(" ");
          onChange({ title, ...(follows ? { slug: slugOf(title) } : {}) });
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          onEnter();
        }}
      />
      <FieldError id={errorId}>{error}</FieldError>
      <p id={counterId} className="tabular text-sm text-muted empty:hidden">
        {counter}
      </p>
    </div>
  );
}
