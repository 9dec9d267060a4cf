import { Clock } from "lucide-react";
import type { Category } from "@/domain/categories.ts";
import { roleNames } from "@/domain/roles.ts";
import {
  AuthorName,
  BackLink,
  Cover,
  ReadingFrame,
  type Neighbour,
} from "@/features/library/index.ts";
import { RatingSummary } from "@/features/ratings/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { RoleBadge } from "@/ui/badge.tsx";
import type { Article } from "../model/article.ts";
import { articleStrings } from "../strings.ts";
import { CompleteBox, CompletionMark } from "./completion.tsx";
import { Tags } from "./tags.tsx";

export interface ArticleViewProps {
  readonly article: Article;
  readonly category: Category;
  /** Where the way back leads. */
  readonly list: string;
  /** What the way back is called; the subcategory unless given. */
  readonly back?: string | undefined;
  /** Names reader and text. */
  readonly textId: string;
  readonly previous: Neighbour | null;
  readonly next: Neighbour | null;
  readonly marking: boolean;
  readonly onMark: () => void;
}

/** An article as members read it. */
export function ArticleView({
  article,
  category,
  list,
  back,
  textId,
  previous,
  next,
  marking,
  onMark,
}: ArticleViewProps) {
  const isOwn = article.author?.id === useUserId();
  return (
    <div className="grid grid-cols-1 justify-between gap-x-8 xl:grid-cols-[minmax(0,var(--container-reading))_19rem] print:block">
      <div className="grid max-w-reading grid-cols-1 gap-5">
        <header className="grid grid-cols-1 gap-2 sm:gap-3">
          <div className="flex items-center justify-between gap-3">
            <BackLink to={list}>{back ?? article.subcategory.name}</BackLink>
            <CompletionMark isRead={article.isRead} marking={marking} onMark={onMark} />
          </div>
          <h1 className="display text-2xl wrap-anywhere sm:text-3xl">{article.title}</h1>
          <Byline article={article} />
        </header>
        <ReadingFrame textId={textId} markdown={article.content} previous={previous} next={next}>
          {article.tags.length > 0 ? <Tags tags={article.tags} /> : null}
          <CompleteBox isOwn={isOwn} isRead={article.isRead} marking={marking} onMark={onMark} />
        </ReadingFrame>
      </div>
      {/* Beside the text where there is room, so that the text begins on the first screen. */}
      <Cover
        category={category}
        topic={article.subcategory.slug}
        slug={article.slug}
        imageUrl={article.imageUrl}
        className="aspect-video self-start rounded-card max-xl:hidden print:hidden"
      />
    </div>
  );
}

function Byline({ article: { author, minutes, rating } }: { readonly article: Article }) {
  return (
    <p className="tabular flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <span className="flex items-center gap-2">
        <AuthorName
          id={author?.id ?? null}
          name={author?.name ?? null}
          className="font-medium text-ink"
        />
        {author === null ? null : <RoleBadge role={author.role} label={roleNames[author.role]} />}
      </span>
      <span className="inline-flex items-center gap-1">
        <Clock aria-hidden className="size-3.5" />
        {articleStrings.minutes(minutes)}
      </span>
      <RatingSummary rating={rating} />
    </p>
  );
}
