import { Handshake, Plus } from "lucide-react";
import { useState } from "react";
import { MembershipNotice, useEffectiveLevel } from "@/features/levels/index.ts";
import { ReportDialog } from "@/features/moderation/index.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { FoundPostCard } from "../components/found-post.tsx";
import { OwnPosts } from "../components/own-posts.tsx";
import { PostFilterBar } from "../components/post-filter-bar.tsx";
import { PostForm } from "../components/post-form.tsx";
import { noPostFilters, postQuery, type FoundPost, type PostFilters } from "../model/post.ts";
import { usePosts } from "../queries.ts";
import { collaborateStrings, explainPostError } from "../strings.ts";

/** `/collaborate`: short offers and requests of members, one's own first. */
export function CollaboratePage() {
  const { status, current } = useEffectiveLevel();
  const [filters, setFilters] = useUrlFilters(noPostFilters);
  const [writing, setWriting] = useState(false);
  const closed = status === "ready" && current === 0;
  return (
    <div className="grid max-w-column grid-cols-1 gap-8">
      <PageHeader
        className="pb-0"
        title={collaborateStrings.title}
        intro={collaborateStrings.intro}
        actions={
          closed || writing ? null : (
            <Button id="new-post" onClick={() => setWriting(true)}>
              <Plus aria-hidden className="size-4" />
              {collaborateStrings.newPost}
            </Button>
          )
        }
      />
      {closed ? (
        <MembershipNotice>{collaborateStrings.membersOnly}</MembershipNotice>
      ) : (
        <>
          {writing ? (
            <PostForm post={null} openedBy="new-post" onDone={() => setWriting(false)} />
          ) : null}
          <OwnPosts />
          <section aria-labelledby="posts" className="grid grid-cols-1 gap-5">
            <h2 id="posts" className="display text-xl">
              {collaborateStrings.fromOthers}
            </h2>
            <PostFilterBar filters={filters} onChange={setFilters} />
            <Results filters={filters} onClear={() => setFilters(noPostFilters)} />
          </section>
        </>
      )}
    </div>
  );
}

function Results({
  filters,
  onClear,
}: {
  readonly filters: PostFilters;
  readonly onClear: () => void;
}) {
  const { data, isError, error, isFetching, refetch, hasNextPage, fetchNextPage } =
    usePosts(filters);
  const [reporting, setReporting] = useState<FoundPost | null>(null);
  const filtered = Object.values(postQuery(filters)).some((value) => value !== undefined);
  if (!data && isError) {
    return (
      <LoadFailed
        title={collaborateStrings.loadFailed}
        busy={isFetching}
        advice={explainPostError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label={collaborateStrings.loading} className="grid gap-4">
        {["a", "b", "c"].map((key) => (
          <Skeleton key={key} className="h-40" />
        ))}
      </Loading>
    );
  }
  const posts = data.pages.flat();
  if (posts.length === 0) {
    return (
      <EmptyState
        icon={<Handshake aria-hidden />}
        title={filtered ? collaborateStrings.noMatchTitle : collaborateStrings.emptyTitle}
        action={
          filtered ? (
            <Button variant="secondary" onClick={onClear}>
              {collaborateStrings.clear}
            </Button>
          ) : null
        }
      >
        {filtered ? collaborateStrings.noMatchText : collaborateStrings.emptyText}
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label={collaborateStrings.posts} aria-busy={isFetching} className="grid gap-4">
        {posts.map((post) => (
          <li key={post.id}>
            <FoundPostCard post={post} onReport={() => setReporting(post)} />
          </li>
        ))}
      </ul>
      {isError ? (
        <p role="alert" className="text-sm text-muted">
          {collaborateStrings.moreFailed} {explainPostError(error)}
        </p>
      ) : null}
      {hasNextPage ? (
        <Button
          variant="secondary"
          className="justify-self-center"
          loading={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {collaborateStrings.more}
        </Button>
      ) : null}
      <ReportDialog
        subject={reporting && { kind: "post", id: reporting.id, name: reporting.title }}
        onClose={() => setReporting(null)}
      />
    </>
  );
}
