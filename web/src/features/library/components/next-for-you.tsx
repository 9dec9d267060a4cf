import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import type { Category } from "@/domain/categories.ts";
import { libraryPath, type Shelf } from "@/domain/library-paths.ts";
import { classNames } from "@/ui/class-names.ts";
import { Skeleton } from "@/ui/skeleton.tsx";
import { nextSubcategory } from "../model/next-item.ts";
import type { ShelfHome } from "../model/shelf-home.ts";
import { useNextItem } from "../queries.ts";
import { shelfStrings } from "../strings.ts";
import { Cover } from "./cover.tsx";

/** The place of what comes next while it is read, so that nothing moves when it is there. */
export function NextForYouLoading() {
  return <Skeleton className="h-24 rounded-card" />;
}

/** The article or course to open next. Nothing when all of them are done, or it could not be read. */
export function NextForYou({
  category,
  shelf,
  home,
  isInCard = false,
}: {
  readonly category: Category;
  readonly shelf: Shelf;
  readonly home: ShelfHome;
  /** It stands in a card already, and needs no other. */
  readonly isInCard?: boolean;
}) {
  const subcategory = nextSubcategory(home);
  const { data: item, isPending } = useNextItem(category, shelf, subcategory?.slug ?? null);
  if (subcategory === null) return null;
  if (item === undefined && isPending) return <NextForYouLoading />;
  if (!item) return null;
  return (
    <Link
      to={libraryPath(category, shelf, subcategory.slug, item.id)}
      className={classNames(
        "grid min-h-24 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-4 sm:gap-5",
        isInCard
          ? "rounded-control hover:bg-hover"
          : "rounded-card border border-line bg-raised p-4 transition-colors hover:border-control-line",
      )}
    >
      <Cover
        category={category}
        topic={subcategory.slug}
        slug={item.slug}
        imageUrl={item.imageUrl}
        className="size-16 rounded-control"
      />
      <span className="grid gap-0.5">
        <span className="text-sm font-medium text-accent">{shelfStrings.nextForYou}</span>{" "}
        <span className="display line-clamp-2 text-lg wrap-anywhere">{item.title}</span>{" "}
        <span className="tabular truncate text-sm text-muted">
          {subcategory.name} · {shelfStrings.minutes(item.minutes)}
        </span>
      </span>
      <ArrowRight aria-hidden className="size-5 text-accent" />
    </Link>
  );
}
