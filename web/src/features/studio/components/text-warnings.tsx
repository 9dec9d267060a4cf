import { useDeferredValue, useMemo } from "react";
import { checkMarkdown } from "@/domain/library-markdown.ts";
import type { DraftContent, DraftKind } from "../model/draft.ts";
import { draftNotesStrings } from "../strings/draft.ts";
import { draftFieldName } from "../strings/names.ts";

function countWarnings(markdown: string): number {
  let count = 0;
  checkMarkdown(markdown, 1, () => {
    count += 1;
  });
  return count;
}

/** How many warnings stand below each text, as items of the list of what a draft still needs. Loaded with the parser. */
export default function TextWarnings({
  kind,
  content,
}: {
  readonly kind: DraftKind;
  readonly content: Pick<DraftContent, "content" | "modules">;
}) {
  const settled = useDeferredValue(content);
  const warnings = useMemo(
    () =>
      kind === "article"
        ? [{ field: "content", count: countWarnings(settled.content) }]
        : settled.modules.map((module, index) => ({
            field: `modules.${index + 1}`,
            count: countWarnings(module.content),
          })),
    [kind, settled],
  );
  return warnings
    .filter(({ count }) => count > 0)
    .map(({ field, count }) => (
      <li key={field}>
        <span className="font-medium">{draftFieldName(field)}:</span>{" "}
        {draftNotesStrings.warnings(count)}
      </li>
    ));
}
