import { Badge } from "@/ui/badge.tsx";
import { articleStrings } from "../strings.ts";

/** The topics of an article. */
export function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <ul aria-label={articleStrings.tags} className="flex flex-wrap gap-1.5">
      {tags.map((tag) => (
        <li key={tag}>
          <Badge>{tag}</Badge>
        </li>
      ))}
    </ul>
  );
}
