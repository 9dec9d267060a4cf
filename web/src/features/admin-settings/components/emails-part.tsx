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
import { emailNames } from "../strings.ts";
import { EmailPanel } from "./email-panel.tsx";

const column = dataColumns<EmailSettings>();
const columns = column.columns([
  column.accessor("name", {
    header: "Email",
    cell: ({ row }) => (
      <span className="font-medium">{emailNames[row.original.name] ?? row.original.name}</span>
    ),
  }),
  column.accessor("content", {
    header: "Subject",
    meta: { wideOnly: true },
    cell: ({ row }) => row.original.content.subject,
  }),
  column.accessor("texts", {
    header: "Texts",
    cell: ({ row }) => {
      const changed = row.original.texts.filter(({ text }) => text !== null).length;
      return changed === 0 ? "Default" : <Badge colour="info">{changed} changed</Badge>;
    },
  }),
]);

/** The e-mails of the product, and the panel that changes the texts of one. */
export function EmailsPart({ filters, setFilters }: SettingsPartProps) {
  const { data, error, isError, isFetching, refetch } = useEmails();
  const open = data?.find(({ name }) => name === filters.open) ?? null;
  const close = () => setFilters({ open: "" });
  if (data === undefined && isError) {
    return isSecondFactorDue(error) ? (
      <SecondFactorNeeded
        title="These settings need a second factor"
        purpose="change what members reach or read"
      />
    ) : (
      <LoadFailed
        title="We couldn't load the emails"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <DataTable
        label="Emails"
        columns={columns}
        rows={data}
        rowId={({ name }) => name}
        rowLabel={({ name }) => emailNames[name] ?? name}
        openId={filters.open}
        onOpen={({ name }) => setFilters({ open: name })}
        empty={<EmptyState title="No emails">The product sends no emails.</EmptyState>}
      />
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(stays) => (stays ? undefined : close())}
        title={open ? (emailNames[open.name] ?? open.name) : ""}
        description="Plain text. It is sent in the product's look, and shown below with sample data."
      >
        {open ? <EmailPanel key={open.name} email={open} onDone={close} /> : null}
      </Sheet>
    </div>
  );
}
