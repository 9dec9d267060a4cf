import { Navigate } from "react-router";
import { libraryPath } from "@/domain/library-paths.ts";
import {
  ClosedMeanwhile,
  libraryStrings,
  NotFoundMessage,
  neighboursOf,
  TextSkeleton,
  useLibraryAddress,
} from "@/features/library/index.ts";
import { Questions } from "@/features/questions/index.ts";
import { RatingPanel } from "@/features/ratings/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { Skeleton } from "@/ui/skeleton.tsx";
import { useArticleActions } from "../mutations.ts";
import { useArticle, useArticles } from "../queries.ts";
import { articleStrings } from "../strings.ts";
import { ArticleView } from "../components/article-view.tsx";

/** `/{category}/foundations/{subcategory}/{articleId}`. */
export function ArticlePage() {
  const { category, slug, itemId } = useLibraryAddress();
  const userId = useUserId();
  const address = { category, slug, articleId: itemId };
  const { article, failed } = useArticle(address);
  const { markAsRead, marking } = useArticleActions(address, article ?? null);
  const shelf = useArticles(category, slug);
  const list = libraryPath(category, "articles", slug);
  usePageDetail(article?.title ?? null);
  // Without a live membership nothing is found, and the shelf says why.
  const closed = article === null && (shelf.data?.isOpen === false || shelf.isLoadingError);
  if (failed || closed) return <Navigate to={list} replace />;
  if (article === undefined || (article === null && shelf.isPending)) return <ArticleSkeleton />;
  if (article === null) {
    return (
      <NotFoundMessage title={libraryStrings.articleNotFound} to={list} back={articleStrings.back}>
        {articleStrings.notFound}
      </NotFoundMessage>
    );
  }
  const { previous, next } = neighboursOf(shelf.data?.items ?? [], article.id);
  const wayTo = (item: typeof next) =>
    item === null
      ? null
      : { title: item.title, to: libraryPath(category, "articles", slug, item.id) };
  return (
    <div className="grid grid-cols-1 gap-10">
      <ArticleView
        article={article}
        category={category}
        list={list}
        textId={`${userId}/${article.id}`}
        previous={wayTo(previous)}
        next={wayTo(next)}
        marking={marking}
        onMark={markAsRead}
      />
      <ClosedMeanwhile />
      <RatingPanel key={`rating/${article.id}`} text={{ articleId: article.id }} />
      <Questions key={article.id} text={{ articleId: article.id }} />
    </div>
  );
}

function ArticleSkeleton() {
  return (
    <div className="grid max-w-reading gap-5">
      <Skeleton className="h-9 w-40" />
      <Skeleton className="h-12 w-4/5" />
      <TextSkeleton />
    </div>
  );
}
