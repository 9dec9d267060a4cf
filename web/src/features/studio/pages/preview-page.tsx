import { useState } from "react";
import { useParams } from "react-router";
import { paths, studioDraftPath } from "@/domain/paths.ts";
import { ArticleView } from "@/features/articles/index.ts";
import { CoursePlayer, withModuleCompleted } from "@/features/courses/index.ts";
import { BackLink, NotFoundMessage, TextSkeleton } from "@/features/library/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import type { DraftDetail, StudioSubcategory } from "../api/drafts.ts";
import { DraftCover } from "../components/draft-cover.tsx";
import { toPreviewArticle, toPreviewCourse } from "../components/preview.ts";
import { useDraft, usePlace } from "../queries.ts";
import { coverTexts, draftPageStrings } from "../strings/draft.ts";

/** `/studio/{draftId}/preview`: the newest version in the library's own reader. */
export function PreviewPage() {
  const { draftId = "" } = useParams();
  const { data, isError, isFetching, refetch } = useDraft(draftId);
  const place = usePlace(data?.content.subcategoryId ?? null);
  if (data === null) {
    return (
      <NotFoundMessage
        title={draftPageStrings.notFoundTitle}
        to={paths.studio}
        back={draftPageStrings.backToStudio}
      >
        {draftPageStrings.notFound}
      </NotFoundMessage>
    );
  }
  if (isError && data === undefined) {
    return (
      <LoadFailed
        title={draftPageStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data === undefined) return <TextSkeleton />;
  return (
    <div className="grid grid-cols-1 gap-6">
      <Alert tone="info" title={draftPageStrings.previewTitle(data.version)}>
        {draftPageStrings.previewNote}
      </Alert>
      {data.kind === "article" ? (
        <ArticlePreview key={data.version} draft={data} place={place} />
      ) : (
        <CoursePreview key={data.version} draft={data} place={place} />
      )}
    </div>
  );
}

interface PreviewProps {
  readonly draft: DraftDetail;
  readonly place: StudioSubcategory | undefined;
}

function ArticlePreview({ draft, place }: PreviewProps) {
  const [isRead, setRead] = useState(false);
  return (
    <ArticleView
      article={{ ...toPreviewArticle(draft, place), isRead }}
      category={place?.category ?? "general"}
      list={studioDraftPath(draft.id)}
      back={draftPageStrings.backToDraft}
      textId={`${useUserId()}/${draft.id}`}
      previous={null}
      next={null}
      marking={false}
      onMark={() => setRead(true)}
    />
  );
}

function CoursePreview({ draft, place }: PreviewProps) {
  const [completed, setCompleted] = useState<readonly string[]>([]);
  const course = completed.reduce(withModuleCompleted, toPreviewCourse(draft, place));
  const list = studioDraftPath(draft.id);
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to={list}>{draftPageStrings.backToDraft}</BackLink>
      <figure className="grid gap-2">
        <DraftCover content={draft.content} className="aspect-video max-w-sm rounded-card" />
        <figcaption className="text-sm text-muted">{coverTexts.inPreview}</figcaption>
      </figure>
      <CoursePlayer
        course={course}
        enrollment={course.enrollment ?? { progress: 0, isComplete: false, isBehind: false }}
        list={list}
        completing={null}
        onComplete={(id) => setCompleted((before) => [...before, id])}
      />
    </div>
  );
}
