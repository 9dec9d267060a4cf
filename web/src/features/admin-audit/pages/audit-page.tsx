import { Download } from "lucide-react";
import { useState } from "react";
import { AdminLoadFailed } from "@/features/session/index.ts";
import { exactTime, shortTime } from "@/lib/format-time.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { Button } from "@/ui/button.tsx";
import { dataColumns, DataTable } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { toast } from "@/ui/toast.tsx";
import { AccountLink } from "../components/account-link.tsx";
import { AuditChanges } from "../components/audit-changes.tsx";
import { AuditFilterBar } from "../components/audit-filter-bar.tsx";
import type { AuditEntry } from "../model/audit-entry.ts";
import { useAuditExport } from "../mutations.ts";
import { useAuditChoices, useAuditLog } from "../queries.ts";
import { actionName, auditStrings } from "../strings.ts";

const defaults = { actor: "", action: "", about: "", since: "", until: "" };
const defaultEntry = { entry: "" };

const column = dataColumns<AuditEntry>();
const columns = column.columns([
  column.accessor("action", {
    header: auditStrings.action,
    cell: ({ getValue }) => actionName(getValue()),
  }),
  column.accessor("subjectName", {
    header: auditStrings.about,
    cell: ({ row: { original } }) => (
      <AccountLink id={original.subjectId} name={original.subjectName} missing="–" />
    ),
  }),
  column.accessor("actorName", {
    header: auditStrings.by,
    meta: { wideOnly: true },
    cell: ({ row: { original } }) => (
      <AccountLink id={original.actorId} name={original.actorName} missing={auditStrings.system} />
    ),
  }),
  column.accessor("happenedAt", {
    header: auditStrings.when,
    meta: { align: "right" },
    cell: ({ getValue }) => (
      <time dateTime={new Date(getValue()).toISOString()} title={exactTime(getValue())}>
        {shortTime(getValue(), Date.now())}
      </time>
    ),
  }),
]);

/** `/admindash/audit`: every administrative act and every look at a document. */
export function AuditPage() {
  const [filters, setFilters] = useUrlFilters(defaults);
  const [{ entry: openId }, setOpen] = useUrlFilters(defaultEntry);
  const log = useAuditLog(filters);
  const choices = useAuditChoices();
  const entries = log.data?.pages.flat();
  const open = entries?.find(({ id }) => String(id) === openId);
  const isFiltered = Object.values(filters).some((value) => value !== "");

  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title={auditStrings.title}
        intro={auditStrings.intro}
        actions={<ExportButton filters={filters} disabled={!entries || entries.length === 0} />}
      />
      <AuditFilterBar filters={filters} choices={choices.data} onChange={setFilters} />
      {log.isError && !entries ? (
        <AdminLoadFailed
          title={auditStrings.loadFailed}
          error={log.error}
          busy={log.isFetching}
          onRetry={() => void log.refetch()}
        />
      ) : (
        <DataTable
          label={auditStrings.title}
          columns={columns}
          rows={entries}
          rowId={({ id }) => String(id)}
          rowLabel={(entry) =>
            [actionName(entry.action), entry.subjectName, exactTime(entry.happenedAt)]
              .filter(Boolean)
              .join(", ")
          }
          openId={openId}
          onOpen={({ id }) => setOpen({ entry: String(id) })}
          empty={
            <EmptyState
              title={isFiltered ? auditStrings.noMatchTitle : auditStrings.emptyTitle}
              action={
                isFiltered ? (
                  <Button variant="secondary" onClick={() => setFilters(defaults)}>
                    {auditStrings.clearFilters}
                  </Button>
                ) : undefined
              }
            >
              {isFiltered ? auditStrings.noMatch : auditStrings.empty}
            </EmptyState>
          }
          more={
            log.hasNextPage
              ? { loading: log.isFetchingNextPage, load: () => void log.fetchNextPage() }
              : undefined
          }
        />
      )}
      <Sheet
        from="side"
        open={open !== undefined}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpen({ entry: "" }))}
        title={open ? actionName(open.action) : ""}
        description={open ? exactTime(open.happenedAt) : ""}
      >
        {open ? <EntryDetail entry={open} /> : null}
      </Sheet>
    </div>
  );
}

function EntryDetail({ entry }: { readonly entry: AuditEntry }) {
  return (
    <div className="grid gap-5">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">{auditStrings.about}</dt>
        <dd>
          <AccountLink id={entry.subjectId} name={entry.subjectName} missing="–" />
        </dd>
        <dt className="text-muted">{auditStrings.by}</dt>
        <dd>
          <AccountLink id={entry.actorId} name={entry.actorName} missing={auditStrings.system} />
        </dd>
        <dt className="text-muted">{auditStrings.entry}</dt>
        <dd className="tabular">
          {entry.id} · {entry.action}
        </dd>
      </dl>
      <AuditChanges detail={entry.detail} />
    </div>
  );
}

function ExportButton({
  filters,
  disabled,
}: {
  readonly filters: typeof defaults;
  readonly disabled: boolean;
}) {
  const save = useAuditExport();
  const [busy, setBusy] = useState(false);

  async function run() {
    setBusy(true);
    try {
      const { rows, isComplete } = await save(filters);
      toast.good(isComplete ? auditStrings.exported(rows) : auditStrings.exportedPart(rows));
    } catch (error) {
      console.error("The audit log was not exported", error);
      toast.danger(auditStrings.exportFailed);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button variant="secondary" loading={busy} disabled={disabled} onClick={() => void run()}>
      <Download aria-hidden className="size-4" />
      {auditStrings.export}
    </Button>
  );
}
