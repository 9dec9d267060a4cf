import { SecondFactorNeeded } from "@/features/session/index.ts";
import { isSecondFactorDue } from "@/lib/second-factor-due.ts";
import { Badge } from "@/ui/badge.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import type { EmailSettings } from "../api/email-texts.ts";
import type { SettingsPartProps } from "../model/filters.ts";
import { useEmails } from "../queries.ts";
import { emailNames, emailSettingsStrings, settingsStrings } from "../strings.ts";
import { EmailPanel } from "./email-panel.tsx";

const column = dataColumns<EmailSettings>();
const columns = column.columns([
  column.accessor("name", {
    header: emailSettingsStrings.name,
    cell: ({ row }) => (
      <span className="font-medium">{emailNames[row.original.name] ?? row.original.name}</span>
    ),
  }),
  column.accessor("content", {
    header: emailSettingsStrings.subject,
    meta: { wideOnly: true },
    cell: ({ row }) => row.original.content.subject,
  }),
  column.accessor("texts", {
    header: emailSettingsStrings.texts,
    cell: ({ row }) => {
      const changed = row.original.texts.filter(({ text }) => text !== null).length;
      return changed === 0 ? (
        emailSettingsStrings.default
      ) : (
        <Badge colour="info">{emailSettingsStrings.changed(changed)}</Badge>
      );
    },
  }),
]);

/** The e-mails of the product, and the panel that changes the texts of one. */
export function EmailsTab({ filters, setFilters }: SettingsPartProps) {
  const { data, error, isError, isFetching, refetch } = useEmails();
  const open = data?.find(({ name }) => name === filters.open) ?? null;
  const close = () => setFilters({ open: "" });
  if (data === undefined && isError) {
    return isSecondFactorDue(error) ? (
      <SecondFactorNeeded
        title={settingsStrings.secondFactorTitle}
        purpose={settingsStrings.secondFactorPurpose}
      />
    ) : (
      <LoadFailed
        title={emailSettingsStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <DataTable
        label={emailSettingsStrings.table}
        columns={columns}
        rows={data}
        rowId={({ name }) => name}
        rowLabel={({ name }) => emailNames[name] ?? name}
        openId={filters.open}
        onOpen={({ name }) => setFilters({ open: name })}
        empty={
          <EmptyState title={emailSettingsStrings.emptyTitle}>
            {emailSettingsStrings.empty}
          </EmptyState>
        }
      />
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(stays) => (stays ? undefined : close())}
        title={open ? (emailNames[open.name] ?? open.name) : ""}
        description={emailSettingsStrings.note}
      >
        {open ? <EmailPanel key={open.name} email={open} onDone={close} /> : null}
      </Sheet>
    </div>
  );
}
