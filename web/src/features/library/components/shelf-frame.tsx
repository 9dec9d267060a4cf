import type { ComponentType } from "react";
import { libraryPath, sections } from "@/domain/library-paths.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { ShelfAddress } from "../api/fetch-shelf-page.ts";
import { libraryStrings, shelfStrings, shelfWords } from "../strings.ts";
import type { ShelfPage } from "../model/shelf-page.ts";
import { BackLink } from "./back-link.tsx";
import { ClosedShelf } from "./closed-shelf.tsx";
import { NotFoundMessage } from "./not-found-message.tsx";

export interface ShelfFrameProps<Item> {
  readonly address: ShelfAddress;
  readonly query: {
    readonly data: ShelfPage<Item> | undefined;
    readonly isError: boolean;
    readonly error: Error | null;
    readonly isFetching: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  readonly card: ComponentType<{ readonly item: Item; readonly address: ShelfAddress }>;
}

/** A subcategory's page around its cards, in every state it can be in. */
export function ShelfFrame<Item extends { readonly id: string }>({
  address,
  query,
  card: ItemOnShelf,
}: ShelfFrameProps<Item>) {
  const { category, shelf } = address;
  const { data, isError, error, isFetching, refetch } = query;
  const home = libraryPath(category, shelf);
  const back = `${sections[category].name} ${shelfWords[shelf].title}`;
  if (data?.isOpen === true && data.subcategory === null) {
    return (
      <NotFoundMessage
        title={libraryStrings.subcategoryNotFound}
        to={home}
        back={shelfStrings.backTo(back)}
      >
        {shelfStrings.subcategoryNotFound}
      </NotFoundMessage>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to={home}>{back}</BackLink>
      {data ? (
        <PageHeader
          className="pb-0"
          eyebrow={sections[category].name}
          title={data.subcategory?.name ?? shelfWords[shelf].title}
          intro={data.subcategory?.description}
        />
      ) : isError ? (
        <>
          <PageHeader
            className="pb-0"
            eyebrow={sections[category].name}
            title={shelfWords[shelf].title}
          />
          <LoadFailed
            title={shelfStrings.loadFailed(shelfWords[shelf].what)}
            busy={isFetching}
            advice={retryLaterMessage(error)}
            onRetry={() => void refetch()}
          />
        </>
      ) : (
        <ShelfSkeleton what={shelfWords[shelf].what} />
      )}
      {data?.isOpen === false ? <ClosedShelf /> : null}
      {data?.isOpen === true && data.items.length === 0 ? (
        <EmptyState title={shelfWords[shelf].empty}>{libraryStrings.empty}</EmptyState>
      ) : null}
      {data?.isOpen === true && data.items.length > 0 ? (
        <ul className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
          {data.items.map((item) => (
            <li key={item.id}>
              <ItemOnShelf item={item} address={address} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function ShelfSkeleton({ what }: { readonly what: string }) {
  return (
    <Loading label={shelfStrings.loading(what)} className="grid gap-6">
      <div className="grid gap-2">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-10 w-72 max-w-full" />
        <Skeleton className="h-5 w-full max-w-lg" />
      </div>
      <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
        {[1, 2, 3, 4, 5, 6].map((each) => (
          <Skeleton key={each} className="h-88 rounded-card" />
        ))}
      </div>
    </Loading>
  );
}
