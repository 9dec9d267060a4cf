import { ModuleVideo } from "@/features/courses/index.ts";
import { ReadingText } from "@/features/library/index.ts";
import type { DraftDetail } from "../api/drafts.ts";
import { draftFieldsStrings } from "../strings/draft.ts";
import { moduleStrings } from "../strings/modules.ts";
import { DraftCover } from "./draft-cover.tsx";

/** What a draft says, to be read by those who don't write in it: cover, excerpt, and text or modules. */
export function DraftText({
  draft: { content, kind },
  moduleHeading: ModuleHeading,
}: {
  readonly draft: Pick<DraftDetail, "content" | "kind">;
  /** The level below that of the title above it. */
  readonly moduleHeading: "h3" | "h4";
}) {
  return (
    <div className="grid max-w-reading grid-cols-1 gap-6">
      <DraftCover content={content} className="aspect-video w-full rounded-card" />
      {content.excerpt === "" ? null : (
        // Named, because it often repeats how the text begins.
        <div className="grid gap-1 text-muted">
          <p className="text-sm font-medium">{draftFieldsStrings.excerptLabel(kind)}</p>
          <p className="wrap-anywhere">{content.excerpt}</p>
        </div>
      )}
      {kind === "article" ? (
        <ReadingText markdown={content.content} />
      ) : (
        content.modules.map((module, index) => (
          <section
            key={module.slug}
            aria-label={moduleStrings.module(index + 1)}
            className="grid grid-cols-1 gap-3"
          >
            <ModuleHeading className="display text-xl wrap-anywhere">
              {index + 1}. {module.title}
            </ModuleHeading>
            {module.videoUrl === null ? null : (
              <ModuleVideo address={module.videoUrl} title={module.title} />
            )}
            <ReadingText markdown={module.content} />
          </section>
        ))
      )}
    </div>
  );
}
