import { useDeferredValue } from "react";
import { Button } from "@/ui/button.tsx";
import type { DraftContent, DraftKind } from "../model/draft.ts";
import { suggestedExcerpt } from "../model/first-words.ts";
import { draftFieldsStrings } from "../strings/draft.ts";

export interface ExcerptSuggestionProps {
  readonly kind: DraftKind;
  readonly content: Pick<DraftContent, "content" | "modules">;
  readonly onUse: (excerpt: string) => void;
}

/** What an empty excerpt becomes when the draft is handed over, to take and change. Renders nothing without a text. */
export default function ExcerptSuggestion({ kind, content, onUse }: ExcerptSuggestionProps) {
  const suggestion = suggestedExcerpt(kind, useDeferredValue(content));
  if (suggestion === "") return null;
  return (
    <div className="grid justify-items-start gap-1 rounded-control bg-sunken px-3 py-2 text-sm">
      <p className="text-muted">{draftFieldsStrings.leftEmpty}</p>
      <p data-suggestion="" className="wrap-anywhere">
        {suggestion}
      </p>
      <Button size="sm" variant="quiet" className="-ml-3" onClick={() => onUse(suggestion)}>
        {draftFieldsStrings.takeSuggestion}
      </Button>
    </div>
  );
}
