import { useState } from "react";
import { exactTime } from "@/lib/format-time.ts";
import { useSave } from "@/lib/use-save.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { keepDailyVersions, restoreVersion } from "../api/draft-actions.ts";
import { toLines } from "./version-lines.ts";
import { differenceOf, shortened } from "../model/difference.ts";
import type { DraftContent, DraftSummary } from "../model/draft.ts";
import { describeStudioError } from "./explain-studio-error.ts";
import { useVersion, useVersions } from "../queries.ts";
import { versionStrings } from "../strings/actions.ts";
import { DraftCover } from "./draft-cover.tsx";

export interface VersionListProps {
  readonly draft: DraftSummary;
  /** The newest version. */
  readonly version: number;
  /** Null where nothing may be restored. */
  readonly onRestored: (() => Promise<void>) | null;
}

/** Every saved version, folded until one looks for it. */
export function VersionList(props: VersionListProps) {
  const [open, setOpen] = useState(false);
  return (
    <section aria-labelledby="versions" className="grid gap-3">
      <h2 id="versions" className="display text-xl">
        {versionStrings.title}
      </h2>
      <Button
        variant="secondary"
        className="justify-self-start"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? versionStrings.hide : versionStrings.show}
      </Button>
      {open ? <Versions {...props} /> : null}
    </section>
  );
}

function Versions({ draft, version, onRestored }: VersionListProps) {
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage } = useVersions(
    draft.id,
    version,
  );
  const [shown, setShown] = useState<number | null>(null);
  if (!data) {
    return isError ? (
      <LoadFailed
        title={versionStrings.listFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading label={versionStrings.listLoading}>
        <Skeleton className="h-32 rounded-card" />
      </Loading>
    );
  }
  const versions = data.pages.flat();
  return (
    <>
      <ul className="divide-y divide-line rounded-card border border-line bg-raised">
        {versions.map((each) => (
          <li key={each.version} className="grid grid-cols-1 gap-3 p-4">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p>
                <span className="font-medium">{versionStrings.version(each.version)}</span>{" "}
                <span className="text-sm text-muted">
                  {exactTime(each.savedAt)}
                  {each.version === draft.publishedVersion ? versionStrings.published : null}
                  {each.version === version ? versionStrings.newest : null}
                </span>
              </p>
              {each.version === version ? null : (
                <Button
                  size="sm"
                  variant="secondary"
                  aria-expanded={shown === each.version}
                  onClick={() => setShown(shown === each.version ? null : each.version)}
                >
                  {versionStrings.compare}
                  <span className="sr-only">{versionStrings.compareVersion(each.version)}</span>
                </Button>
              )}
            </div>
            {shown === each.version ? (
              <Difference draft={draft} from={each.version} to={version} onRestored={onRestored} />
            ) : null}
          </li>
        ))}
      </ul>
      {isError ? (
        <LoadFailed
          title={versionStrings.listFailed}
          busy={isFetching}
          onRetry={() => void (hasNextPage ? fetchNextPage() : refetch())}
        />
      ) : null}
      <div className="flex flex-wrap gap-3">
        {hasNextPage && !isError ? (
          <Button variant="secondary" loading={isFetching} onClick={() => void fetchNextPage()}>
            {versionStrings.showEarlier}
          </Button>
        ) : null}
        {onRestored === null || versions.length < 2 ? null : (
          <KeepDaily draftId={draft.id} onDone={() => setShown(null)} />
        )}
      </div>
    </>
  );
}

/** Makes room among the versions of a draft, after a question. */
function KeepDaily({ draftId, onDone }: { readonly draftId: string; readonly onDone: () => void }) {
  const [asked, setAsked] = useState(false);
  const { save, busy, issue } = useSave({
    describeError: describeStudioError,
    onSaved: toast.good,
  });

  async function confirm() {
    const isSaved = await save(
      async (client) => await keepDailyVersions(client, draftId),
      versionStrings.deleted,
    );
    if (!isSaved) return;
    setAsked(false);
    onDone();
  }

  return (
    <>
      <Button variant="quiet" onClick={() => setAsked(true)}>
        {versionStrings.keepDaily}
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        danger
        busy={busy}
        title={versionStrings.keepDailyTitle}
        description={versionStrings.keepDailyText}
        confirmLabel={versionStrings.keepDailyConfirm}
        onConfirm={() => void confirm()}
      >
        {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      </ConfirmDialog>
    </>
  );
}

function Difference({
  draft,
  from,
  to,
  onRestored,
}: Pick<VersionListProps, "draft" | "onRestored"> & {
  readonly from: number;
  readonly to: number;
}) {
  const older = useVersion(draft.id, from);
  const newer = useVersion(draft.id, to);
  const { save, busy, issue } = useSave({
    describeError: describeStudioError,
    onSaved: toast.good,
  });
  if (older.isError || newer.isError) {
    return (
      <LoadFailed
        title={versionStrings.loadFailed}
        busy={older.isFetching || newer.isFetching}
        onRetry={() => void Promise.all([older.refetch(), newer.refetch()])}
      />
    );
  }
  if (!older.data || !newer.data) {
    return (
      <Loading label={versionStrings.loading}>
        <Skeleton className="h-24 rounded-card" />
      </Loading>
    );
  }
  async function restore() {
    const isSaved = await save(
      async (client) => await restoreVersion(client, { id: draft.id, version: to }, from),
      versionStrings.restored(from),
    );
    if (isSaved) await onRestored?.();
  }
  const lines = shortened(differenceOf(toLines(older.data), toLines(newer.data)), 2);
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-sm text-muted">{versionStrings.differenceIntro(from)}</p>
      {older.data.cover === newer.data.cover ? null : (
        <div className="grid max-w-md grid-cols-2 gap-3">
          <CoverOf content={older.data} name={versionStrings.olderCover(from)} />
          <CoverOf content={newer.data} name={versionStrings.newerCover} />
        </div>
      )}
      <ol
        aria-label={versionStrings.difference(from)}
        className="grid rounded-control bg-sunken p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {lines.map((line, index) => (
          <li
            key={`${index}-${line?.text ?? ""}`}
            className={classNames(
              line?.kind === "added" && "wash [--accent:var(--good)]",
              line?.kind === "removed" && "wash [--accent:var(--danger)]",
            )}
          >
            {line === null ? "⋯" : line.kind === "same" ? `  ${line.text}` : null}
            {line?.kind === "added" ? <ins className="no-underline">+ {line.text}</ins> : null}
            {line?.kind === "removed" ? <del className="no-underline">− {line.text}</del> : null}
          </li>
        ))}
      </ol>
      {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
      {onRestored === null ? null : (
        <Button className="justify-self-start" loading={busy} onClick={() => void restore()}>
          {versionStrings.restore(from)}
        </Button>
      )}
    </div>
  );
}

function CoverOf({ content, name }: { readonly content: DraftContent; readonly name: string }) {
  return (
    <figure className="grid content-start gap-1">
      <DraftCover content={content} className="aspect-video rounded-control" />
      <figcaption className="text-sm text-muted">{name}</figcaption>
    </figure>
  );
}
