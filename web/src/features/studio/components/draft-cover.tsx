import { Cover } from "@/features/library/index.ts";
import type { DraftContent } from "../model/draft.ts";
import { useStudioSubcategories } from "../queries.ts";

export interface DraftCoverProps {
  readonly content: Pick<DraftContent, "subcategoryId" | "slug" | "cover">;
  readonly className?: string | undefined;
}

/** The cover members will see: the mentor's picture, or the one drawn for its place. */
export function DraftCover({ content, className }: DraftCoverProps) {
  const { data } = useStudioSubcategories();
  const place = data?.find(({ id }) => id === content.subcategoryId);
  return (
    <Cover
      category={place?.category ?? "general"}
      topic={place?.slug ?? ""}
      slug={content.slug}
      imageUrl={content.cover}
      className={className}
    />
  );
}
