import { PenLine } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { studioDraftPath } from "@/domain/paths.ts";
import { useWaitingQuestions, WaitingQuestions } from "@/features/questions/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { StudioFiles } from "../components/studio-files.tsx";
import { DraftStatusBadge } from "../components/status-badge.tsx";
import type { DraftKind, DraftStatus, DraftSummary } from "../model/draft.ts";
import { describeStudioError } from "../components/explain-studio-error.ts";
import { useBeginDraft } from "../mutations.ts";
import { useDrafts } from "../queries.ts";
import { kindNames, titleOrUntitled } from "../strings/names.ts";
import { studioPageStrings } from "../strings/studio.ts";

/** `/studio`: the articles and courses of a mentor by where they stand. Administrators see everyone's. */
export function StudioPage() {
  const { data, isError, isFetching, refetch } = useDrafts();
  // They stand above the drafts, which would jump when they came later.
  const { isPending } = useWaitingQuestions();
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid gap-4">
        <PageHeader
          className="pb-0"
          title={studioPageStrings.title}
          intro={studioPageStrings.intro}
        />
        <div className="flex flex-wrap items-start gap-3">
          <NewDraft />
          <StudioFiles />
        </div>
      </div>
      {data || isError ? <WaitingQuestions /> : null}
      {data && !isPending ? (
        <DraftGroups drafts={data} />
      ) : isError ? (
        <LoadFailed
          title={studioPageStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={studioPageStrings.loading} className="grid gap-2">
          <Skeleton className="h-16 rounded-card" />
          <Skeleton className="h-16 rounded-card" />
        </Loading>
      )}
    </div>
  );
}

function NewDraft() {
  const begin = useBeginDraft();
  const navigate = useNavigate();
  const [making, setMaking] = useState<DraftKind | null>(null);
  const [issue, setIssue] = useState<string | null>(null);
  async function create(kind: DraftKind) {
    setMaking(kind);
    setIssue(null);
    try {
      await navigate(studioDraftPath(await begin(kind)));
    } catch (error) {
      console.error("The draft was not created", error);
      setIssue(describeStudioError(error));
      setMaking(null);
    }
  }
  return (
    <div className="grid gap-3 max-sm:w-full">
      <div className="grid grid-cols-2 gap-3 sm:flex">
        <Button
          loading={making === "article"}
          disabled={making !== null}
          onClick={() => void create("article")}
        >
          {studioPageStrings.newArticle}
        </Button>
        <Button
          variant="secondary"
          loading={making === "course"}
          disabled={making !== null}
          onClick={() => void create("course")}
        >
          {studioPageStrings.newCourse}
        </Button>
      </div>
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
    </div>
  );
}

/** What needs its mentor comes first. */
const groups: readonly (readonly [title: string, statuses: readonly DraftStatus[]])[] = [
  [studioPageStrings.groups.returned, ["returned"]],
  [studioPageStrings.groups.drafts, ["draft"]],
  [studioPageStrings.groups.inReview, ["submitted", "scheduled"]],
  [studioPageStrings.groups.published, ["published"]],
  [studioPageStrings.groups.withdrawn, ["withdrawn"]],
  [studioPageStrings.groups.archived, ["archived"]],
];

function DraftGroups({ drafts }: { readonly drafts: readonly DraftSummary[] }) {
  if (drafts.length === 0) {
    return (
      <EmptyState title={studioPageStrings.emptyTitle} icon={<PenLine aria-hidden />}>
        {studioPageStrings.empty}
      </EmptyState>
    );
  }
  return groups.map(([title, statuses]) => {
    const here = drafts.filter(({ status }) => statuses.includes(status));
    const id = `group-${statuses[0] ?? ""}`;
    return here.length === 0 ? null : (
      <section key={id} aria-labelledby={id} className="grid grid-cols-1 gap-3">
        <h2 id={id} className="display text-xl">
          {title} <span className="tabular text-muted">· {here.length}</span>
        </h2>
        <ul className="divide-y divide-line overflow-clip rounded-card border border-line bg-raised">
          {here.map((draft) => (
            <li key={draft.id}>
              <DraftRow draft={draft} />
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

function DraftRow({ draft }: { readonly draft: DraftSummary }) {
  const now = useNow();
  const isOwn = draft.ownerId === useUserId();
  return (
    <Link
      to={studioDraftPath(draft.id)}
      className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-hover focus-visible:-outline-offset-2"
    >
      <span className="min-w-0 grow">
        <span className="block font-medium wrap-anywhere">{titleOrUntitled(draft.title)}</span>
        <span className="block text-sm text-muted">
          {studioPageStrings.changed(kindNames[draft.kind], timeAgo(draft.updatedAt, now))}
          {isOwn || draft.ownerName === "" ? null : studioPageStrings.byOther(draft.ownerName)}
        </span>
      </span>
      <DraftStatusBadge status={draft.status} />
    </Link>
  );
}
