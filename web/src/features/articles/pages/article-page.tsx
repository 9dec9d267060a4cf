import { Clock } from "lucide-react";
import { Navigate } from "react-router";
import { brand } from "@/domain/brand.ts";
import { libraryPath } from "@/domain/library-paths.ts";
import { roleNames } from "@/domain/roles.ts";
import {
  BackLink,
  Cover,
  libraryStrings,
  NotFoundMessage,
  neighboursOf,
  ReadingFrame,
  TextSkeleton,
  useLibraryAddress,
} from "@/features/library/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { RoleBadge } from "@/ui/badge.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import type { Article } from "../model/article.ts";
import { useArticleActions } from "../mutations.ts";
import { useArticle, useArticles } from "../queries.ts";
import { Tags } from "../components/tags.tsx";
import { CompleteBox, CompletionMark } from "../components/completion.tsx";

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
  /* Without a live membership nothing is found, and the shelf says why. */
  const closed = article === null && shelf.data?.isOpen === false;
  if (failed || closed) return <Navigate to={list} replace />;
  if (article === undefined || (article === null && shelf.isPending)) return <ArticleSkeleton />;
  if (article === null) {
    return (
      <NotFoundMessage title={libraryStrings.articleNotFound} to={list} back="Back to the articles">
        It may have been removed, or the link may be wrong.
      </NotFoundMessage>
    );
  }
  const { previous, next } = neighboursOf(shelf.data?.items ?? [], article.id);
  const wayTo = (item: typeof next) =>
    item === null
      ? null
      : { title: item.title, to: libraryPath(category, "articles", slug, item.id) };
  return (
    <div className="mx-auto grid w-full max-w-[39rem] grid-cols-1 gap-7">
      <BackLink to={list}>{article.subcategory.name}</BackLink>
      <Cover
        category={category}
        topic={slug}
        slug={article.slug}
        imageUrl={article.imageUrl}
        className="h-32 rounded-card sm:h-52 print:hidden"
      />
      <header className="grid gap-4">
        <h1 className="display text-3xl sm:text-4xl">{article.title}</h1>
        {article.excerpt === "" ? null : <p className="text-lg text-muted">{article.excerpt}</p>}
        <Byline article={article} />
        {article.tags.length > 0 ? <Tags tags={article.tags} /> : null}
        <CompletionMark isRead={article.isRead} marking={marking} onMark={markAsRead} />
      </header>
      <ReadingFrame
        textId={`${userId}/${article.id}`}
        markdown={article.content}
        previous={wayTo(previous)}
        next={wayTo(next)}
      >
        <CompleteBox isRead={article.isRead} marking={marking} onMark={markAsRead} />
      </ReadingFrame>
    </div>
  );
}

function Byline({ article: { author, minutes } }: { readonly article: Article }) {
  return (
    <p className="tabular flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <span className="flex items-center gap-2">
        <span className="font-medium text-ink">{author?.name ?? brand.name}</span>
        {author === null ? null : <RoleBadge role={author.role} label={roleNames[author.role]} />}
      </span>
      <span className="inline-flex items-center gap-1">
        <Clock aria-hidden className="size-3.5" />
        {minutes} min read
      </span>
    </p>
  );
}

function ArticleSkeleton() {
  return (
    <div className="mx-auto grid w-full max-w-[39rem] gap-7">
      <Skeleton className="h-9 w-40" />
      <Skeleton className="h-32 rounded-card sm:h-52" />
      <Skeleton className="h-12 w-4/5" />
      <TextSkeleton />
    </div>
  );
}
