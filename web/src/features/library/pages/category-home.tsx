import { Link, useLocation } from "react-router";
import {
  categoryOf,
  libraryPath,
  shelfNames,
  shelves,
  type Shelf,
} from "@/domain/library-paths.ts";
import type { Category } from "@/domain/categories.ts";
import { LevelAdvancements } from "@/features/levels/index.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { libraryStrings, shelfIntros, shelfStrings, shelfWords } from "../strings.ts";
import { totalsOf } from "../model/shelf-home.ts";
import { useShelfHome } from "../queries.ts";
import { ClosedShelf } from "../components/closed-shelf.tsx";
import { NextForYou } from "../components/next-for-you.tsx";
import { ProgressBanner } from "../components/progress-banner.tsx";
import { SubcategoryCard } from "../components/subcategory-card.tsx";

/** `/{category}/foundations` and `/{category}/courses`. */
export function CategoryHome({ shelf }: { readonly shelf: Shelf }) {
  const { pathname } = useLocation();
  const category = categoryOf(pathname);
  const { data, isError, error, isFetching, refetch } = useShelfHome(category, shelf);
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid gap-5">
        <PageHeader
          className="pb-0"
          title={shelfNames[shelf]}
          intro={shelfIntros[category][shelf]}
          actions={<ShelfSwitch category={category} shelf={shelf} />}
        />
      </div>
      {data?.isOpen === false ? <ClosedShelf /> : null}
      {data?.isOpen === true ? (
        <>
          <ProgressBanner category={category} shelf={shelf} {...totalsOf(data)} />
          <NextForYou category={category} shelf={shelf} home={data} />
          {data.subcategories.length === 0 ? (
            <EmptyState title={shelfWords[shelf].empty}>{libraryStrings.empty}</EmptyState>
          ) : (
            <section aria-label={shelfStrings.subcategories}>
              <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
                {data.subcategories.map((subcategory) => (
                  <li key={subcategory.id}>
                    <SubcategoryCard category={category} shelf={shelf} subcategory={subcategory} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      ) : null}
      {!data && isError ? (
        <LoadFailed
          title={shelfStrings.homeFailed}
          busy={isFetching}
          advice={retryLaterMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {!data && !isError ? <HomeSkeleton /> : null}
      <LevelAdvancements />
    </div>
  );
}

/** The way between the two shelves of a category. */
function ShelfSwitch({ category, shelf }: { readonly category: Category; readonly shelf: Shelf }) {
  return (
    <nav
      aria-label={shelfStrings.switch}
      className="flex gap-1 justify-self-start rounded-control bg-sunken p-1"
    >
      {shelves.map((each) => (
        <Link
          key={each}
          to={libraryPath(category, each)}
          aria-current={each === shelf ? "page" : undefined}
          className="flex min-h-11 items-center rounded-control px-4 text-sm font-medium text-muted hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink aria-[current=page]:shadow-[inset_0_0_0_1px_var(--line)]"
        >
          {shelfNames[each]}
        </Link>
      ))}
    </nav>
  );
}

function HomeSkeleton() {
  return (
    <Loading label={shelfStrings.loadingHome} className="grid gap-8">
      <Skeleton className="h-33 rounded-card" />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {[1, 2, 3, 4, 5].map((each) => (
          <Skeleton key={each} className="h-48 rounded-card" />
        ))}
      </div>
    </Loading>
  );
}
