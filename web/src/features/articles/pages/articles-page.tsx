import { CircleCheck, Clock, Star } from "lucide-react";
import { libraryPath } from "@/domain/library-paths.ts";
import {
  AuthorName,
  Cover,
  ItemCard,
  ShelfFrame,
  useLibraryAddress,
  type ShelfAddress,
} from "@/features/library/index.ts";
import { RatingSummary } from "@/features/ratings/index.ts";
import { Badge } from "@/ui/badge.tsx";
import { maxTagsOnCard, type ArticleSummary } from "../model/article-summary.ts";
import { useArticles } from "../queries.ts";
import { articleStrings } from "../strings.ts";
import { Tags } from "../components/tags.tsx";

/** `/{category}/foundations/{subcategory}`. */
export function ArticlesPage() {
  const { category, slug } = useLibraryAddress();
  const query = useArticles(category, slug);
  return (
    <ShelfFrame address={{ category, shelf: "articles", slug }} query={query} card={ArticleCard} />
  );
}

function ArticleCard({
  item: article,
  address: { category, slug },
}: {
  readonly item: ArticleSummary;
  readonly address: ShelfAddress;
}) {
  return (
    <ItemCard
      to={libraryPath(category, "articles", slug, article.id)}
      title={article.title}
      text={article.excerpt}
      done={article.isRead}
      cover={
        <Cover
          category={category}
          topic={slug}
          slug={article.slug}
          imageUrl={article.imageUrl}
          className="aspect-video"
        />
      }
      badges={<Badges article={article} />}
      facts={<Facts article={article} />}
    >
      {article.tags.length > 0 ? <Tags tags={article.tags.slice(0, maxTagsOnCard)} /> : null}
    </ItemCard>
  );
}

function Badges({ article }: { readonly article: ArticleSummary }) {
  return (
    <>
      {article.isFeatured ? (
        <Badge colour="warn" icon={<Star aria-hidden className="size-3.5" />}>
          {articleStrings.featured}
        </Badge>
      ) : null}
      {article.isRead ? (
        <Badge colour="good" icon={<CircleCheck aria-hidden className="size-3.5" />}>
          {articleStrings.read}
        </Badge>
      ) : null}
    </>
  );
}

function Facts({ article }: { readonly article: ArticleSummary }) {
  return (
    <>
      <AuthorName id={article.authorId} name={article.authorFirstName} className="relative z-10" />
      <span className="inline-flex items-center gap-1">
        <Clock aria-hidden className="size-3.5" />
        {articleStrings.minutes(article.minutes)}
      </span>
      <RatingSummary rating={article.rating} />
    </>
  );
}
